import { Avatar } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Effect, Layer, Option } from "effect"
import { requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** Copies the bytes, because a caller could change them. */
const copy = (avatar: Avatar): Avatar => ({ ...avatar, bytes: Uint8Array.from(avatar.bytes) })

/** `AvatarStore` in memory. */
export const layer: Layer.Layer<AvatarStore, never, MemoryState> = Layer.effect(
  AvatarStore,
  Effect.map(MemoryState, (state) => ({
    put: requireValid("put an avatar", Avatar, (avatar) =>
      state.write((tables) => {
        tables.avatars = Table.set(tables.avatars, avatar.hash, copy(avatar))
      })),
    find: (hash) => state.read(({ avatars }) => Option.map(Table.get(avatars, hash), copy)),
    list: ({ after, limit }) => state.read(({ avatars }) => Table.after(avatars, after, limit).map(({ hash }) => hash))
  }))
)
