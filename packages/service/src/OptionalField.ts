import { Schema } from "effect"

/** A field that may be left out. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** An input whose fields that may be left out may also be `undefined`, with `exactOptionalPropertyTypes`, too. */
export type WithUndefined<T> = T extends ReadonlyArray<infer Item> ? ReadonlyArray<WithUndefined<Item>>
  : T extends object
    ? { readonly [K in keyof T]: WithUndefined<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
  : T
