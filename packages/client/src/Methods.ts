import type { Operation } from "./Operation.ts"
import { OPERATIONS } from "./Operations.ts"

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
