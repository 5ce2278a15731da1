import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Database } from "@community-messaging/storage-sql/Database"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { COMMUNITY, toText } from "./Community.ts"
import { exportText, importText, on } from "./Transfer.ts"

const ADA = UserId.make("101")

/** An integer that older versions accepted. */
const TOO_LARGE = 2 ** 40

/** A name that older versions accepted. */
const TOO_LONG = "n".repeat(257)

/** 10000-01-01T00:00:00Z, in Unix milliseconds. */
const TOO_LATE = 253_402_300_800_000

/** The community, as an older version stored it, whose rules accepted these values. */
const oldCommunity = Effect.gen(function*() {
  const { sql, write } = yield* Database
  yield* importText(toText(COMMUNITY))
  const payload = JSON.stringify({ content: "hello", flags: TOO_LARGE, embeds: [{ color: TOO_LARGE }] })
  yield* write(Effect.all([
    sql`
      UPDATE users SET accent_color = ${TOO_LARGE}, authenticator_types = '[1099511627776]', email = 'n@host.123',
        premium_until = ${TOO_LATE}, username = ${TOO_LONG}, global_name = ${TOO_LONG}
      WHERE id = ${ADA}
    `,
    sql`UPDATE memberships SET join_source_type = ${TOO_LARGE}, nickname = ${TOO_LONG} WHERE user_id = ${ADA}`,
    sql`UPDATE messages SET payload = ${payload}`,
    sql`UPDATE scheduled_messages SET payload = ${payload} WHERE status = 'pending'`
  ]))
})

/** A storage with its database, for values that no port accepts. */
const storage = Layer.orDie(
  on(Layer.provideMerge(StorageSqlite.ports, SqliteDatabase.layer({ filename: ":memory:" })))
)

describe("data that an older version stored, under rules that are stricter today", () => {
  it.effect("are exported, and an import reports each value that breaks a rule of today", () =>
    Effect.gen(function*() {
      yield* oldCommunity
      const text = yield* exportText
      const { failed } = yield* importText(text)
      const problems = failed.flatMap((line) => line.problems.map(({ path }) => `${line.kind} ${path}`))
      expect(Array.from(new Set(problems)).toSorted()).toEqual([
        "member nickname",
        "member supplemental.join_source_type",
        "message payload.embeds.0.color",
        "message payload.flags",
        "user accent_color",
        "user authenticator_types.0",
        "user email",
        "user global_name",
        "user premium_until",
        "user username"
      ])
    }).pipe(Effect.provide(storage)))

  it.effect("are corrected by an import, with an event that names the changed fields", () =>
    Effect.gen(function*() {
      yield* oldCommunity
      const last = (yield* EventStream.read(0, 1000)).at(-1)?.sequence ?? 0
      const ada = COMMUNITY.find(({ id }) => id === ADA)
      expect((yield* importText(toText([{ ...ada, accent_color: 255 }]))).failed).toEqual([])
      const user = yield* Effect.flatten(Effect.flatMap(UserRepository, ({ find }) => find(ADA)))
      expect(user).toMatchObject({ accentColor: Option.some(255) })
      expect((yield* EventStream.read(last, 1000)).map(({ event }) => event)).toMatchObject([
        {
          _tag: "user.updated",
          userId: ADA,
          changed: ["username", "global_name", "accent_color", "email", "premium_until", "authenticator_types"]
        }
      ])
    }).pipe(Effect.provide(storage)))
})
