import type { Operation } from "./Operation.ts"
import { OPERATIONS } from "./Operations.ts"

/** A request whose fields that may be left out may also be `undefined`, with `exactOptionalPropertyTypes`, too. */
type WithUndefined<T> = T extends ReadonlyArray<infer Item> ? ReadonlyArray<WithUndefined<Item>>
  : T extends object
    ? { readonly [K in keyof T]: WithUndefined<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
  : T

/** The parameters of a method. The request is optional if all of its parts are. */
export type Arguments<Request, Options> = Partial<Request> extends Request
  ? [request?: WithUndefined<Request>, options?: Options]
  : [request: WithUndefined<Request>, options?: Options]

/** Makes a method for each operation in the table, by group and name. */
export const methodsOf = (methodOf: (operation: Operation) => unknown): object =>
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([group, operations]) => [
      group,
      Object.fromEntries(
        Object.entries<Operation>(operations).map(([name, operation]) => [name, methodOf(operation)])
      )
    ])
  )
