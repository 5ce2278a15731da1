import { AvatarContentType, AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import type { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Effect, Option, Schema } from "effect"
import { column, Flag } from "./Column.ts"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"

/** The driver returns Node buffers, whose methods differ from those of `Uint8Array`. */
const Bytes = Schema.transform(Schema.Uint8ArrayFromSelf, Schema.Uint8ArrayFromSelf, {
  strict: true,
  decode: ({ buffer, byteLength, byteOffset }) => new Uint8Array(buffer, byteOffset, byteLength),
  encode: (bytes) => bytes
})

const AvatarRow = Schema.Struct({
  hash: AvatarHash,
  contentType: column("content_type", AvatarContentType),
  animated: Flag,
  bytes: Bytes
})

const encode = Rows.encode("avatars", AvatarRow)

const HashRow = Schema.Struct({ hash: AvatarHash }).pipe(Schema.pluck("hash"))

/** `AvatarStore` in SQL. */
export const make = ({ dialect, sql, write }: typeof Database.Service): typeof AvatarStore.Service => ({
  put: (avatar) =>
    encode(avatar).pipe(
      // An existing avatar is locked, so that it stays until the unit of work has stored the reference to it.
      Effect.zipRight(write(sql`
        INSERT INTO avatars (hash, content_type, animated, bytes)
        VALUES (${avatar.hash}, ${avatar.contentType}, ${avatar.animated ? 1 : 0}, ${avatar.bytes})
        ${dialect.keepExisting("hash")}
      `)),
      attempt("put an avatar"),
      Effect.asVoid
    ),
  find: (hash) =>
    sql`SELECT hash, content_type, animated, bytes FROM avatars WHERE hash = ${hash}`.pipe(
      Effect.flatMap(Rows.decodeFirst("avatars", AvatarRow)),
      attempt("find an avatar")
    ),
  list: ({ after, limit }) =>
    sql`
      SELECT hash FROM avatars WHERE hash ${dialect.byBytes} > ${Option.getOrElse(after, () => "")}
      ORDER BY hash ${dialect.byBytes} LIMIT ${limit}
    `.pipe(
      Effect.flatMap(Rows.decodeAll("avatars", HashRow)),
      attempt("list avatars")
    )
})
