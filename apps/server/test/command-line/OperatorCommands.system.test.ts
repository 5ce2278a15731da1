import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { beforeAll } from "vitest"
import { besideLive } from "../composed/ComposedServer.ts"
import { build, start } from "../program/Program.ts"
import { community, run } from "./Terminal.ts"

const Scheduled = Schema.parseJson(Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  scheduled_at: Schema.String,
  timezone: Schema.String
}))

const Logged = Schema.parseJson(
  Schema.Struct({ action: Schema.String, actor: Schema.Struct({ type: Schema.String }) })
)

const RECORD = AuditRecord.make({
  actor: { _tag: "CommandLine" },
  action: "credential.revoke",
  targetId: Snowflake.make("9"),
  at: DateTime.unsafeMake("2026-02-03T04:05:06Z"),
  before: {},
  after: {}
})

/** A local time tomorrow, by the real clock, which the commands read here. */
const tomorrow = Effect.map(
  Effect.withClock(DateTime.now, Clock.make()),
  (now) => DateTime.formatIso(DateTime.addDuration(now, Duration.days(1))).slice(0, 16)
)

const schedule = (DATA_DIR: string, at: string) =>
  run(
    ["message", "schedule", "--author", "102", "--channel", "401", "--at", at, "--content", "Good morning", "--json"],
    { DATA_DIR }
  )

beforeAll(build)

layer(NodeContext.layer, { excludeTestServices: true })("the commands of operators", (it) => {
  it.scoped("schedule a message, but not for the past, list it, edit it and cancel it", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const at = yield* tomorrow
      const message = yield* Schema.decode(Scheduled)((yield* schedule(DATA_DIR, at)).stdout)
      expect(message).toMatchObject({ status: "scheduled", scheduled_at: `${at}:00.000Z`, timezone: "UTC" })

      const listed = yield* run(["message", "scheduled", "--author", "102", "--status", "scheduled"], { DATA_DIR })
      expect(listed.stdout).toContain(message.id)

      const stranger = yield* run(["message", "scheduled", "--author", "999"], { DATA_DIR })
      expect([stranger.succeeded, stranger.stderr]).toEqual([
        false,
        "community-messaging: There is no account 999, or it is deleted.\n"
      ])
      const unknown = yield* run(["message", "scheduled", "--author", "102", "--status", "late"], { DATA_DIR })
      expect(unknown.stderr).toBe(
        "community-messaging: --status must be one of pending, invalid, scheduled, sent, failed, cancelled\n"
      )
      const edited = yield* run(
        ["message", "edit", message.id, "--author", "102", "--at", `${at}:30`, "--content", "Good evening", "--json"],
        { DATA_DIR }
      )
      expect(JSON.parse(edited.stdout)).toMatchObject({
        scheduled_at: `${at}:30.000Z`,
        channel_id: "401",
        payload: { content: "Good evening" }
      })
      const past = ["message", "edit", message.id, "--author", "102", "--at", "2020-01-01T00:00"]
      expect((yield* run(past, { DATA_DIR })).stderr).toContain(
        "2020-01-01T00:00:00.000Z must be in the future, by at most 365 days."
      )

      const cancelled = yield* run(["message", "cancel", message.id, "--author", "102", "--json"], { DATA_DIR })
      expect((yield* Schema.decode(Scheduled)(cancelled.stdout)).status).toBe("cancelled")
      const again = yield* run(["message", "cancel", message.id, "--author", "102"], { DATA_DIR })
      expect(again.stderr).toContain("A scheduled message that is cancelled cannot become cancelled.")
      const late = yield* run(["message", "edit", message.id, "--author", "102"], { DATA_DIR })
      expect(late.stderr).toContain("a scheduled message that is cancelled cannot be edited")

      expect((yield* schedule(DATA_DIR, "2020-01-01T00:00")).stderr).toContain(
        "2020-01-01T00:00:00.000Z must be in the future, by at most 365 days."
      )
    }))

  it.scoped("cancel the deletion of an account, once, and report that none is scheduled", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const cancel = (id: string) => run(["user", "cancel-deletion", id], { DATA_DIR })
      expect([(yield* cancel("101")).succeeded, (yield* cancel("101")).succeeded]).toEqual([true, false])
      expect((yield* cancel("102")).stderr).toContain("No deletion of account 102 is scheduled.")
      expect((yield* cancel("999")).stderr).toContain("There is no account 999, or it is deleted.")
    }))

  it.scoped("print the audit log, as many records as its endpoint, and how to continue", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      yield* run(["token", "issue", "admin", "--name", "ops", "--acl", "*"], { DATA_DIR })
      yield* Effect.provide(
        Effect.flatMap(AuditLog, (log) => Effect.repeatN(log.append(RECORD), 100)),
        besideLive({ DATA_DIR })
      )
      const printed = (...args: ReadonlyArray<string>) =>
        Effect.map(
          run(["audit", "list", ...args], { DATA_DIR }),
          ({ stderr, stdout }) => ({ records: stdout.trimEnd().split("\n"), stderr })
        )
      const [all, most, one] = [yield* printed(), yield* printed("--limit", "100"), yield* printed("--limit", "1")]
      expect([all, most, one].map(({ records }) => records.length)).toEqual([50, 100, 1])
      expect(all.stderr).toBe("There are more: add --after 50\n")
      const rest = yield* printed("--limit", "100", "--after", "50")
      expect([rest.records.length, rest.stderr]).toEqual([52, ""])
      expect(yield* Schema.decode(Logged)(one.records[0] ?? "")).toEqual({
        action: "credential.issue",
        actor: { type: "command_line" }
      })
    }))

  it.scoped("print events of another process as they happen", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const tail = yield* start(["events", "tail"], { DATA_DIR })
      yield* tail.prints("member.joined")
      const message = yield* Schema.decode(Scheduled)((yield* schedule(DATA_DIR, yield* tomorrow)).stdout)
      yield* tail.prints(`"data":{"scheduled_message_id":"${message.id}"`)
    }))

  it.scoped("print only future events with --from now", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const tail = yield* start(["events", "tail", "--from", "now"], { DATA_DIR })
      const at = yield* tomorrow
      // It prints nothing at its start, so events are made until it prints one. An author has at most 100 undelivered
      // messages: each is cancelled before the next.
      const scheduleAndCancel = Effect.gen(function*() {
        const { id } = yield* Schema.decode(Scheduled)((yield* schedule(DATA_DIR, at)).stdout)
        yield* run(["message", "cancel", id, "--author", "102"], { DATA_DIR })
      })
      yield* Effect.raceFirst(Effect.forever(scheduleAndCancel), tail.prints("scheduled_message.updated"))
      expect(tail.stdout()).not.toContain("member.joined")
    }))
})
