import { DatabaseInvalid } from "@community-messaging/storage-sqlite/DatabaseCheck"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { describe as describeFailure } from "../../src/command-line/Failure.ts"
import { toText } from "../transfer/Community.ts"
import { community, importText, run } from "./Terminal.ts"

const decode = Schema.decode(Schema.parseJson(Schema.Unknown))

const Ids = Schema.parseJson(Schema.Array(Schema.Struct({ id: Schema.String })))

const ids = (typed: string, DATA_DIR: string) =>
  Effect.flatMap(
    run(typed.split(" "), { DATA_DIR }),
    ({ stdout }) => Effect.map(Schema.decode(Ids)(stdout), (all) => all.map(({ id }) => id))
  )

const ADA = {
  id: "101",
  username: "ada",
  discriminator: 7,
  global_name: "Ada Łukasiewicz 🌍",
  bot: false,
  system: false,
  state: "scheduled_for_deletion",
  pending_deletion_at: "2025-01-01T00:00:00.000Z",
  deletion_reason_code: 3,
  deleted_at: null,
  deletion_public_reason: "wish",
  has_email: true,
  email_verified: true,
  email_bounced: false,
  created_at: "2015-01-01T00:00:00.000Z",
  guild_ids: ["200"]
}

const EMBED = ["n", "Ein Titel", "https://example.org/a", "Ελληνικά 👋", "n: v", "u", "t"]

layer(NodeContext.layer, { excludeTestServices: true })("the commands that read", (it) => {
  it.scoped("list accounts page by page, and those in one state", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      expect([
        yield* ids("user list --json", DATA_DIR),
        yield* ids("user list --json --limit 1 --after 101", DATA_DIR),
        yield* ids("user list --json --deleted", DATA_DIR),
        yield* ids("user list --json --scheduled-for-deletion", DATA_DIR)
      ]).toEqual([["101", "102", "103"], ["102"], ["103"], ["101"]])
      const { stdout } = yield* run(["user", "list"], { DATA_DIR })
      expect(stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/))).toEqual([
        ["ID", "USERNAME", "KIND", "STATE"],
        ["101", "ada", "person", "scheduled for deletion 2025-01-01T00:00:00.000Z"],
        ["102", "helper", "bot", "active"],
        ["103", "deleted-user-103", "person", "deleted 2024-01-01T00:00:00.000Z"]
      ])
    }))

  it.scoped("list tokens and keys page by page, and say how to continue", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      expect(yield* ids("token list --json --limit 1 --after 901", DATA_DIR)).toEqual(["902"])
      expect((yield* run(["token", "list", "--limit", "2"], { DATA_DIR })).stderr).toBe(
        "There are more: add --after 902\n"
      )
    }))

  it.scoped("show an account without its e-mail address by default", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const json = (yield* run(["user", "show", "101", "--json"], { DATA_DIR })).stdout
      expect(yield* decode(json)).toEqual(ADA)
      const text = (yield* run(["user", "show", "101"], { DATA_DIR })).stdout
      const private_ = ["Ada@example.org", "192.0.2.1", "+4930123456", "1990-12-10", "Berlin"]
      expect(private_.filter((secret) => json.includes(secret) || text.includes(secret))).toEqual([])
      expect((yield* run(["user", "show", "101", "--email"], { DATA_DIR })).stdout).toContain("Ada@example.org")
      expect(yield* decode((yield* run(["user", "--email", "show", "101", "--json"], { DATA_DIR })).stdout)).toEqual({
        ...ADA,
        email: "Ada@example.org"
      })
    }))

  it.scoped("list guilds, and show the channels of one", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      expect(yield* decode((yield* run(["guild", "list", "--json"], { DATA_DIR })).stdout)).toEqual([
        { id: "200", name: "Haus", owner_id: "101" }
      ])
      expect(yield* decode((yield* run(["guild", "show", "200", "--json"], { DATA_DIR })).stdout)).toEqual({
        id: "200",
        name: "Haus",
        owner_id: "101",
        channels: [{ id: "401", name: "allgemein" }]
      })
      expect((yield* run(["guild", "show", "200"], { DATA_DIR })).stdout).toContain("401      allgemein")
    }))

  it.scoped("show posted messages, the newest last, with their embeds as plain text, page by page from the newest back", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      expect((yield* run(["message", "list", "--channel", "401"], { DATA_DIR })).stdout).toBe([
        "2024-06-01T00:00:00.000Z  helper (user 102)  801",
        "  x",
        "",
        "2024-06-02T00:00:00.000Z  Builds (webhook 601)  802",
        "  Hallo @everyone",
        ...EMBED.map((line) => `  | ${line}`),
        ...EMBED.map((line) => `  | | ${line}`),
        "  [file] f.ogg u",
        ""
      ].join("\n"))

      const newest = yield* run(["message", "list", "--channel", "401", "--limit", "1", "--json"], { DATA_DIR })
      expect((yield* Schema.decode(Ids)(newest.stdout)).map(({ id }) => id)).toEqual(["802"])
      expect(newest.stderr).toBe("There are older ones: add --before 802\n")
      expect(yield* ids("message list --channel 401 --before 802 --json", DATA_DIR)).toEqual(["801"])
    }))

  it.scoped("print no characters of third parties to the terminal that it executes or that reorder text, but all of their other text", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const evil = "a\u001b[31mred\u0007\u001b]0;title\u0007\u009b2J\u202eb\r\nc\u0000\u007f"
      yield* importText(
        DATA_DIR,
        toText([
          { kind: "guild", id: "210", name: evil, owner_id: "101" },
          {
            kind: "message",
            id: "803",
            channel_id: "401",
            guild_id: "200",
            author: { type: "webhook", webhook_id: "601", name: evil },
            payload: { content: evil, embeds: [{ title: evil, fields: [{ name: evil, value: evil }] }], flags: 0 },
            created_at: "2024-06-03T00:00:00.000Z"
          }
        ])
      )
      const texts = yield* Effect.forEach(
        ["guild list", "message list --channel 401", "guild list --json", "message list --channel 401 --json"],
        (typed) => run(typed.split(" "), { DATA_DIR })
      )
      for (const { stdout } of texts) expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(texts[1]?.stdout).toContain(
        ["  TEXT", "  c", "  | TEXT", "  | c", "  | TEXT c: TEXT c"].join("\n").replaceAll("TEXT", "ared]0;titleb")
      )
      expect(yield* decode(texts[2]?.stdout ?? "")).toContainEqual({ id: "210", name: evil, owner_id: "101" })
    }))

  it.scoped("truncate long names in lists, but show them completely alone", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const name = "u".repeat(10_000)
      yield* importText(DATA_DIR, toText([{ kind: "guild", id: "210", name, owner_id: "101" }]))
      const { stdout } = yield* run(["guild", "list"], { DATA_DIR })
      expect(stdout).toContain(`200  Haus${" ".repeat(512 - "Haus".length)}  101`)
      expect(stdout).toContain(`210  ${"u".repeat(511)}…  101`)
      expect((yield* run(["guild", "show", "210"], { DATA_DIR })).stdout).toContain(`  ${name}\n`)
    }))

  it.scoped("print no control characters of an invalid file or a damaged database to the terminal", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const evil = "a\u009b2J\u001b[31m\u202eb"
      const credential = { kind: "credential", id: "905", type: "bot", user_id: "102", token_digest: evil }
      const { stderr } = yield* importText(
        DATA_DIR,
        toText([{ ...credential, created_at: "2024-06-03T00:00:00Z" }])
      )
      expect(stderr).toContain("token_digest")
      const damaged = describeFailure(
        new DatabaseInvalid({ reason: `it is damaged: row 1 missing from index ${evil}` })
      )
      for (const text of [stderr.replaceAll("\n", ""), damaged]) expect(text).not.toMatch(/[\p{Cc}\u202e]/u)
    }))
})
