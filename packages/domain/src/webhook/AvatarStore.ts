import { Context, type Effect, type Option } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Avatar, AvatarHash } from "./Avatar.ts"

/** Port: the bytes of avatars, kept once under their hash. */
export class AvatarStore extends Context.Tag("@community-messaging/domain/AvatarStore")<AvatarStore, {
  /** Keeps the avatar. What is there already under its hash is the same. */
  readonly put: (avatar: Avatar) => Effect.Effect<void, StorageError>
  readonly find: (hash: AvatarHash) => Effect.Effect<Option.Option<Avatar>, StorageError>
  /** The hashes of all avatars, in their order, beginning after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<AvatarHash>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<AvatarHash>, StorageError>
}>() {}
