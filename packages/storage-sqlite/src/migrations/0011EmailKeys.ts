import { EmailAddress, uniquenessKey } from "@community-messaging/domain/account/EmailAddress"
import { UserId } from "@community-messaging/domain/account/User"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import type { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Option, Schema } from "effect"

/** The number of accounts that are read at a time. */
const PAGE = 1000

/** Addresses with a character beyond ASCII. The keys of the others are in lower case, as before. */
const BEYOND_ASCII = "email GLOB '*[^ -~]*'"

const decodeAccounts = Rows.decodeAll("users", Schema.Struct({ id: UserId, email: EmailAddress }))
const decodeHolder = Rows.decodeFirst("users", Schema.Struct({ id: UserId, isOlder: Schema.Int }))

/**
 * Computes the keys of e-mail addresses again: addresses that differ only in compatibility forms are equal (API gaps, Change
 * of e-mail). If two accounts have equal addresses now, the one with the smaller id has the key. The other one keeps its
 * address and works, without a key (null), until its address is changed.
 */
export const emailKeys = (run: Run): Effect.Effect<void, SqlFailure | StorageError> =>
  Effect.gen(function*() {
    yield* run(`UPDATE users SET email_key = NULL WHERE ${BEYOND_ASCII}`, [])

    const settle = Effect.fnUntraced(function*({ email, id }: { readonly email: EmailAddress; readonly id: UserId }) {
      const key = uniquenessKey(email)
      const holder = yield* run("SELECT CAST(id AS TEXT) AS id, id < ? AS isOlder FROM users WHERE email_key = ?", [
        id,
        key
      ]).pipe(Effect.flatMap(decodeHolder), Effect.map(Option.getOrUndefined))
      if (holder !== undefined) {
        const [older, younger] = holder.isOlder === 1 ? [holder.id, id] : [id, holder.id]
        yield* Effect.logWarning(
          `The accounts ${older} and ${younger} have equal e-mail addresses. Both keep their address; change the address of ${younger}`
        )
        if (younger === id) return
        yield* run("UPDATE users SET email_key = NULL WHERE id = ?", [younger])
      }
      yield* run("UPDATE users SET email_key = ? WHERE id = ?", [key, id])
    })

    const settleAfter = (after: string): Effect.Effect<void, SqlFailure | StorageError> =>
      Effect.gen(function*() {
        const rows = yield* run(
          `SELECT CAST(id AS TEXT) AS id, email FROM users WHERE id > ? AND ${BEYOND_ASCII} ORDER BY users.id LIMIT ${PAGE}`,
          [after]
        )
        const accounts = yield* decodeAccounts(rows)
        yield* Effect.forEach(accounts, settle, { discard: true })
        const last = accounts.at(-1)
        if (last !== undefined) yield* settleAfter(last.id)
      })
    yield* settleAfter("-1")
  })
