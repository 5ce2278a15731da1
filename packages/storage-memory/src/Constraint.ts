import { StorageError } from "@community-messaging/domain/StorageError"
import { Either } from "effect"

/** Fails as a database would whose constraint is violated. `operation` tells what was attempted and why it failed. */
export const requireThat = (holds: boolean, operation: string): Either.Either<void, StorageError> =>
  holds ? Either.void : Either.left(new StorageError({ operation }))
