import { AdminKey, BotToken } from "@community-messaging/domain/access/Credential"
import type { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { DateTime, Effect, Option, Schema } from "effect"
import { AccountStatusRow, STATUS } from "./AccountStatusRow.ts"
import { column, Instant, json, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const issued = {
  id: BotToken.fields.id,
  digest: BotToken.fields.digest,
  createdAt: column("created_at", Instant),
  revokedAt: nullable("revoked_at", Instant)
}

const BotTokenRow = Schema.Struct({
  _tag: column("kind", Schema.Literal("BotToken")),
  ...issued,
  userId: column("user_id", BotToken.fields.userId)
})

const CredentialRow = Schema.Union(
  BotTokenRow,
  Schema.Struct({
    _tag: column("kind", Schema.Literal("AdminKey")),
    ...issued,
    name: AdminKey.fields.name,
    acls: json(AdminKey.fields.acls)
  })
)

/** A bot token with the status of its account. */
const BotRow = Schema.Struct({ ...BotTokenRow.fields, ...AccountStatusRow.fields })

/** `CredentialRepository` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof CredentialRepository.Service => {
  const credentials = Table.make({ send, sql }, {
    name: "credentials",
    row: CredentialRow,
    snowflakes: ["id", "user_id"]
  })
  const decodeBot = Rows.decodeFirst("credentials", BotRow)
  return {
    insert: (credential) => write(attempt("insert a credential")(credentials.insert(credential))),
    find: (id) => attempt("find a credential")(credentials.first`WHERE id = ${id}`),
    findByDigest: (digest) => attempt("find a credential by its digest")(credentials.first`WHERE digest = ${digest}`),
    // One statement, which is one round trip: every request of a bot begins with it.
    findBotToken: (digest) =>
      sql`
        SELECT kind, CAST(credentials.id AS TEXT) AS id, digest, created_at, revoked_at,
          CAST(credentials.user_id AS TEXT) AS user_id, ${STATUS}
        FROM credentials JOIN users ON users.id = credentials.user_id WHERE digest = ${digest}
      `.pipe(
        Effect.flatMap(decodeBot),
        Effect.map(Option.map(({ bot, deleted, scheduledForDeletion, ...token }) => ({
          token,
          account: { bot, deleted, scheduledForDeletion }
        }))),
        attempt("find a bot token by its digest")
      ),
    list: (page) => attempt("list credentials")(credentials.page(page)),
    revoke: (id, at) =>
      write(sql`
        UPDATE credentials SET revoked_at = ${DateTime.toEpochMillis(at)} WHERE id = ${id} AND revoked_at IS NULL
      `).pipe(attempt("revoke a credential"), Effect.asVoid),
    revokeAllOfUser: (userId, at) =>
      write(sql`
        UPDATE credentials SET revoked_at = ${DateTime.toEpochMillis(at)}
        WHERE user_id = ${userId} AND revoked_at IS NULL
      `).pipe(attempt("revoke an account's credentials"), Effect.asVoid)
  }
}
