import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { Option, Schema } from "effect"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const isAvatarHash = Schema.is(AvatarHash)

const has = (hash: string) => ({ avatar }: { readonly avatar: Option.Option<string> }): boolean =>
  Option.contains(avatar, hash)

/** Removes the avatar if no account, webhook or message refers to it any more. */
export const removeIfUnused = (tables: Tables, avatar: Option.Option<string>): void => {
  const hash = Option.getOrUndefined(avatar)
  if (hash === undefined || !isAvatarHash(hash) || !Table.has(tables.avatars, hash)) return
  const isUsed = Table.rows(tables.webhooks).some(has(hash)) || Table.rows(tables.users).some(has(hash)) ||
    Table.rows(tables.messages).some(({ author }) => author._tag === "Webhook" && has(hash)(author))
  if (!isUsed) tables.avatars = Table.remove(tables.avatars, hash)
}
