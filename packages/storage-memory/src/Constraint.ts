import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type Effect, Either, Schema } from "effect"

/** Fails as a database would whose constraint is violated. `operation` tells what was attempted and why it failed. */
export const requireThat = (holds: boolean, operation: string): Either.Either<void, StorageError> =>
  holds ? Either.void : Either.left(new StorageError({ operation }))

/**
 * The write, of entities that fit their schema alone: any other is refused before anything is written. Other storages do so
 * when they make a row of it; this one, which they are compared with, would keep anything.
 */
export const requireValid = <A, I, Rest extends ReadonlyArray<unknown>, E>(
  operation: string,
  schema: Schema.Schema<A, I>,
  write: (entity: A, ...rest: Rest) => Effect.Effect<void, E>
) => {
  const isValid = Schema.is(schema)
  return (entity: unknown, ...rest: Rest): Effect.Effect<void, E | StorageError> =>
    isValid(entity)
      ? write(entity, ...rest)
      : new StorageError({ operation: `${operation}: it violates its schema` })
}
