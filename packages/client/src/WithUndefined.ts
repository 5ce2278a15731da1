/** A request whose fields that may be left out may also be `undefined`, with `exactOptionalPropertyTypes`, too. */
export type WithUndefined<T> = T extends ReadonlyArray<infer Item> ? ReadonlyArray<WithUndefined<Item>>
  : T extends object
    ? { readonly [K in keyof T]: WithUndefined<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
  : T
