import { uniquenessKey } from "@community-messaging/domain/account/EmailAddress"
import { type AccountState, type User, UserId } from "@community-messaging/domain/account/User"
import { EmailAlreadyInUse, type UserRepository } from "@community-messaging/domain/account/UserRepository"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Effect, Option, Schema } from "effect"
import { AccountStatusRow, STATUS } from "./AccountStatusRow.ts"
import type { Database, Dialect } from "./Database.ts"
import { inChunks } from "./InChunks.ts"
import * as Rows from "./Rows.ts"
import { attempt, type SqlFailure, storageError } from "./SqlFailure.ts"
import { type Fragment, fragment } from "./Statements.ts"
import * as Table from "./Table.ts"
import { UserRow } from "./UserRow.ts"

const derived = {
  email_key: ({ email }: User) => Option.getOrNull(Option.map(email, uniquenessKey)),
  username_text: ({ username }: User) => normalise(username),
  global_name_text: ({ globalName }: User) => Option.getOrNull(Option.map(globalName, normalise))
}

const onReplace = {
  // An account keeps its address, even if another account has an equal one under today's rules (migration email_keys).
  email_key:
    "CASE WHEN users.email IS NOT DISTINCT FROM excluded.email THEN users.email_key ELSE excluded.email_key END"
}

/** Whether another account has the e-mail address. */
const isEmailTaken = ({ isTaken }: Dialect, error: SqlFailure | StorageError): boolean =>
  error._tag === "SqlFailure" && isTaken(error, "users", "email_key")

const toSaveError =
  (dialect: Dialect, user: User) => (error: SqlFailure | StorageError): EmailAlreadyInUse | StorageError => {
    if (error._tag === "StorageError") return error
    return Option.isSome(user.email) && isEmailTaken(dialect, error)
      ? new EmailAlreadyInUse({ userId: user.id })
      : storageError("save an account", error)
  }

const IN_STATE: Readonly<Record<AccountState, Fragment>> = {
  active: fragment`AND deleted_at IS NULL AND pending_deletion_at IS NULL`,
  "scheduled for deletion": fragment`AND deletion_claimable_at IS NOT NULL`,
  deleted: fragment`AND deleted_at IS NOT NULL`
}

const StatusOfRow = Schema.Struct({ id: UserId, ...AccountStatusRow.fields })

const ClaimedRow = Schema.Struct({ id: UserId, due_at: Schema.Int })

const TABLE = {
  name: "users",
  row: UserRow,
  snowflakes: ["id"],
  derived,
  onReplace
} as const

/** `UserRepository` in SQL. */
export const make = (
  { atomically, dialect, recoverable, send, sql, write }: typeof Database.Service
): typeof UserRepository.Service => {
  const decodeStatus = Rows.decodeFirst("users", AccountStatusRow)
  const decodeStatuses = Rows.decodeAll("users", StatusOfRow)
  const users = Table.make({ send: sql, sql }, TABLE)
  const sent = Table.make({ send, sql }, TABLE)
  return {
    find: (id) => attempt("find an account")(users.first`WHERE id = ${id}`),
    findStatus: (id) =>
      sql`SELECT ${STATUS} FROM users WHERE id = ${id}`.pipe(
        Effect.flatMap(decodeStatus),
        attempt("find the status of an account")
      ),
    findAll: (ids) => inChunks(ids, (among) => users.all`WHERE id IN ${among}`).pipe(attempt("find accounts")),
    findStatuses: (ids) =>
      inChunks(ids, (among) =>
        Effect.flatMap(
          sql`SELECT CAST(id AS TEXT) AS id, ${STATUS} FROM users WHERE id IN ${among}`,
          decodeStatuses
        )).pipe(
          Effect.map((found) => new Map(found.map(({ id, ...status }) => [id, status]))),
          attempt("find the status of accounts")
        ),
    save: (user) => write(Effect.mapError(recoverable(users.save(user)), toSaveError(dialect, user))),
    saveWithoutNewEmail: (user) => write(attempt("save an account")(sent.save(user))),
    saveAll: (all) =>
      atomically(
        // Waits for the sent statements, and fails with the error of the first one that failed.
        Effect.zipRight(Effect.forEach(all, sent.save, { discard: true }), sql`SELECT 1 AS saved`)
      ).pipe(
        Effect.as(true),
        Effect.catchAll((error) => isEmailTaken(dialect, error) ? Effect.succeed(false) : Effect.fail(error)),
        attempt("save accounts")
      ),
    list: ({ state, ...page }) =>
      attempt("list accounts")(users.page(page, state === undefined ? undefined : IN_STATE[state])),
    // In the order of the index: any other one would sort all due accounts for each claim.
    claimDueDeletions: ({ leaseUntil, limit, now }) =>
      write(sql`
        WITH due AS MATERIALIZED (
          SELECT users.id FROM users WHERE deletion_claimable_at <= ${DateTime.toEpochMillis(now)}
          ORDER BY deletion_claimable_at LIMIT ${limit} ${dialect.skipLocked}
        )
        UPDATE users SET deletion_leased_until = ${DateTime.toEpochMillis(leaseUntil)}
        WHERE id IN (SELECT due.id FROM due)
        RETURNING CAST(id AS TEXT) AS id, pending_deletion_at AS due_at
      `).pipe(
        Effect.flatMap(Rows.decodeAll("users", ClaimedRow)),
        Effect.map((claimed) =>
          claimed
            .toSorted((self, that) => self.due_at - that.due_at || Snowflake.compare(self.id, that.id))
            .map(({ id }) => id)
        ),
        attempt("claim due deletions")
      ),
    nextDeletionAt: sql`
      SELECT deletion_claimable_at AS at FROM users WHERE deletion_claimable_at IS NOT NULL
      ORDER BY deletion_claimable_at LIMIT 1
    `.pipe(Effect.flatMap(Rows.decodeMoment("users")), attempt("find the next deletion")),
    countDueDeletions: (now, limit) =>
      sql`
        SELECT count(*) AS value FROM (
          SELECT 1 FROM users WHERE deletion_claimable_at <= ${DateTime.toEpochMillis(now)} LIMIT ${limit}
        ) AS subquery
      `.pipe(Effect.flatMap(Rows.decodeInteger("users")), attempt("count due deletions"))
  }
}
