import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { wellFormedIn } from "@community-messaging/domain/shared-kernel/WellFormedText"
import { type Effect, Either, Predicate, Schema } from "effect"

/** Fails if the constraint is violated, as a database does. `operation` is the attempted operation and the constraint. */
export const requireThat = (holds: boolean, operation: string): Either.Either<void, StorageError> =>
  holds ? Either.void : Either.left(new StorageError({ operation }))

/** Whether a text in the value has lone surrogates. */
const isMalformed = (value: unknown): boolean =>
  Predicate.isString(value)
    ? !value.isWellFormed()
    : Predicate.isObject(value) && !Predicate.isUint8Array(value) && Object.values(value).some(isMalformed)

/**
 * Wraps writes so that they fail if the entity violates its schema, and get U+FFFD for lone surrogates. Other storages do
 * this when they encode the row. This storage is the reference for them, so it must do it too.
 */
export const requireValid = <A, I>(schema: Schema.Schema<A, I>) => {
  const compile = () => ({
    isValid: Schema.is(schema),
    encode: Schema.encodeSync(schema),
    decode: Schema.decodeUnknownSync(schema)
  })
  // At the first write: a program that has this storage and uses another one needs none of it.
  let compiled: ReturnType<typeof compile> | undefined
  return <B, E>(operation: string, write: (entity: A) => Effect.Effect<B, E>) =>
  (entity: unknown): Effect.Effect<B, E | StorageError> => {
    compiled ??= compile()
    const { decode, encode, isValid } = compiled
    return isValid(entity)
      ? write(isMalformed(entity) ? decode(wellFormedIn(encode(entity))) : entity)
      : new StorageError({ operation: `${operation}: it violates its schema` })
  }
}
