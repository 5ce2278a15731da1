import { Context, type Effect, type Option } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Avatar, AvatarHash } from "./Avatar.ts"

/**
 * Port: stores the bytes of avatars by hash, each once. An avatar is removed in the transaction in which the last account
 * or webhook that has it gets another one or is removed, unless a message has it. An avatar that nothing had yet stays.
 */
export class AvatarStore extends Context.Tag("@community-messaging/domain/AvatarStore")<AvatarStore, {
  /** Stores the avatar. Does nothing if its hash is already stored. */
  readonly put: (avatar: Avatar) => Effect.Effect<void, StorageError>
  readonly find: (hash: AvatarHash) => Effect.Effect<Option.Option<Avatar>, StorageError>
  /** Returns the hashes of all avatars in ascending order, starting after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<AvatarHash>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<AvatarHash>, StorageError>
}>() {}
