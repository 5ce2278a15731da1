import { Avatar } from "@community-messaging/domain/webhook/Avatar"
import type { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Option } from "effect"
import { requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** Copies the bytes, because a caller could change them. */
const copy = (avatar: Avatar): Avatar => ({ ...avatar, bytes: Uint8Array.from(avatar.bytes) })

const validAvatar = requireValid(Avatar)

/** `AvatarStore` in memory. */
export const make = (state: typeof MemoryState.Service): typeof AvatarStore.Service => ({
  put: validAvatar("put an avatar", (avatar) =>
    state.write((tables) => {
      tables.avatars = Table.set(tables.avatars, avatar.hash, copy(avatar))
    })),
  find: (hash) => state.read(({ avatars }) => Option.map(Table.get(avatars, hash), copy)),
  list: ({ after, limit }) => state.read(({ avatars }) => Table.after(avatars, after, limit).map(({ hash }) => hash))
})
