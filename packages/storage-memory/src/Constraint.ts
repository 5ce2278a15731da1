import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type Effect, Either, Schema } from "effect"

/** Fails if the constraint is violated, as a database does. `operation` is the attempted operation and the constraint. */
export const requireThat = (holds: boolean, operation: string): Either.Either<void, StorageError> =>
  holds ? Either.void : Either.left(new StorageError({ operation }))

/**
 * Wraps a write so that it fails if the entity violates its schema. Other storages fail when they encode the row. This
 * storage is the reference for them, so it must fail too.
 */
export const requireValid = <A, I, Rest extends ReadonlyArray<unknown>, B, E>(
  operation: string,
  schema: Schema.Schema<A, I>,
  write: (entity: A, ...rest: Rest) => Effect.Effect<B, E>
) => {
  const isValid = Schema.is(schema)
  return (entity: unknown, ...rest: Rest): Effect.Effect<B, E | StorageError> =>
    isValid(entity)
      ? write(entity, ...rest)
      : new StorageError({ operation: `${operation}: it violates its schema` })
}
