import { Context, type Effect, type Option } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Avatar, AvatarHash } from "./Avatar.ts"

/**
 * Port: stores the bytes of avatars by hash, each once. The transaction after which no account or webhook refers to an
 * avatar removes the avatar, unless a message refers to it. An avatar that was never referred to stays.
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
