import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { COMMUNITY, PENDING_MESSAGE, SECRETS, toText } from "./Community.ts"
import { eventCount, exportText, importText, inMemory } from "./Transfer.ts"

const user = { kind: "user", id: "1", username: "ada" }

/** The problems that the import reports for a text, line by line: `number kind path reason`. */
const complaints = (text: string | Uint8Array) =>
  Effect.map(
    importText(text),
    ({ failed }) =>
      failed.flatMap(({ kind, number, problems }) =>
        problems.map(({ path, reason }) => `${number} ${kind} ${path}: ${reason}`)
      )
  )

/** The problems that the import reports for records after the whole community. */
const complaintsAbout = (records: object | ReadonlyArray<object>) =>
  Effect.zipRight(
    importText(toText(COMMUNITY)),
    complaints(toText(Array.isArray(records) ? records : [records]))
  ).pipe(Effect.provide(inMemory))

/** The first record of that kind with some fields changed. */
const changed = (kind: string, fields: object) => ({ ...COMMUNITY.find((record) => record.kind === kind), ...fields })

const ROLE = COMMUNITY.find(({ guild_id, id, kind }) => kind === "role" && id !== guild_id)

describe("an import", () => {
  it.effect("names line, path and reason of every wrong field", () =>
    Effect.gen(function*() {
      const wrong = { kind: "user", id: "01", discriminator: 10_000, authenticator_types: [1, "2"], email: "nope" }
      expect(yield* complaints(toText([user, wrong]))).toEqual([
        "2 user id: must be a snowflake: a string of decimal digits without leading zeros",
        "2 user username: is required",
        "2 user discriminator: must be 0 to 9999",
        "2 user email: must be an e-mail address of at most 254 characters, at most 64 of them before the @",
        "2 user authenticator_types.1: must be a number"
      ])
    }).pipe(Effect.provide(inMemory)))

  it.effect("names the allowed values of an enumeration once", () =>
    Effect.gen(function*() {
      const wrong = [
        changed("scheduled_message", { status: "late" }),
        changed("consent", { scopes: ["identify", "fly"] }),
        { kind: "credential", id: "1", type: "admin", name: "ops", acls: ["fly"], token_digest: "a".repeat(64) }
      ]
      expect(yield* complaints(toText(wrong))).toEqual([
        "1 scheduled_message status: must be one of: pending, invalid, scheduled, sent, failed, cancelled",
        "2 consent scopes.1: must be one of: identify, email, guilds, connections, bot",
        "3 credential created_at: is required",
        "3 credential acls.0: must be one of: user:delete, user:update:email, events:read, audit:read, *"
      ])
    }).pipe(Effect.provide(inMemory)))

  it.effect("does not print a token, also where it should have its digest", () =>
    Effect.gen(function*() {
      const reason = "must be the SHA-256 of a token: 64 hexadecimal digits in lower case"
      expect(
        yield* complaintsAbout([
          changed("credential", { token_digest: SECRETS.bot }),
          changed("credential", { token_digest: { value: SECRETS.bot } }),
          changed("webhook", { token_digest: SECRETS.webhook }),
          changed("webhook", { token_digest: null, token: [SECRETS.webhook] }),
          changed("credential", { type: SECRETS.bot })
        ])
      ).toEqual([
        `1 credential token_digest: ${reason}`,
        `2 credential token_digest: ${reason}`,
        `3 webhook token_digest: ${reason}`,
        "4 webhook token: must be a string",
        "5 credential type: must be one of: bot, admin"
      ])
    }))

  it.effect("writes nothing if it is strict and lines are invalid, and reports all of them", () =>
    Effect.gen(function*() {
      const { failed } = yield* importText(toText([{ kind: "user" }, user, { kind: "user" }]), true)
      expect(failed.map(({ number }) => number)).toEqual([1, 3])
      expect({ file: yield* exportText, events: yield* eventCount }).toEqual({ file: "", events: 0 })
    }).pipe(Effect.provide(inMemory)))

  it.effect("writes everything if it is strict and no line is invalid, and digests and cleans like an update", () =>
    Effect.gen(function*() {
      const given = { name: " Buil\tds\n", token_digest: null, token: SECRETS.webhook }
      yield* importText(
        toText(COMMUNITY.map((record) => record.kind === "webhook" ? { ...record, ...given } : record)),
        true
      )
      expect(yield* exportText).toBe(toText(COMMUNITY))
    }).pipe(Effect.provide(inMemory)))

  it.effect("reports a line that is not UTF-8, not JSON, not an object, or of an unknown kind, and continues", () =>
    Effect.gen(function*() {
      const kinds = "user, guild, role, channel, member, application, avatar, webhook, scheduled_message, message, " +
        "credential, consent"
      const lines = Buffer.from("\n{\n[]\n{}\n{\"kind\":\"pony\"}\n{\"kind\":7}\n")
      expect(yield* complaints(Buffer.concat([Buffer.from([0x22, 0xff, 0x22]), lines]))).toEqual([
        "1 unknown : is not UTF-8",
        "2 unknown : is not JSON",
        "3 unknown : is not a JSON object",
        `4 unknown kind: must be one of ${kinds}`,
        `5 unknown kind: must be one of ${kinds}`,
        `6 unknown kind: must be one of ${kinds}`
      ])
    }).pipe(Effect.provide(inMemory)))

  it.effect("ignores blank lines, a byte order mark, carriage returns, a missing last newline, null and unknown fields", () =>
    Effect.gen(function*() {
      const nulls = { flags: null, bot: null, email: null, acls: null, colour: "green" }
      const [first, last] = [user, { ...user, ...nulls, id: "2" }].map((record) => JSON.stringify(record))
      const { failed, summary } = yield* importText(`\ufeff${first}\r\n\r\n  \n${last}`)
      expect([failed, summary["user"]?.added]).toEqual([[], 2])
    }).pipe(Effect.provide(inMemory)))

  const refused: ReadonlyArray<readonly [records: object | ReadonlyArray<object>, complaint: string]> = [
    [changed("guild", { owner_id: "9" }), "1 guild owner_id: there is no user 9"],
    [changed("role", { guild_id: "9" }), "1 role guild_id: there is no guild 9"],
    [changed("role", { managed_by: "101" }), "1 role managed_by: there is no bot account 101"],
    [changed("channel", { guild_id: "9" }), "1 channel guild_id: there is no guild 9"],
    [changed("member", { guild_id: "9" }), "1 member guild_id: there is no guild 9"],
    [changed("member", { user_id: "9" }), "1 member user_id: there is no user 9"],
    [changed("member", { role_ids: ["301", "9"] }), "1 member role_ids.1: there is no role 9 in the guild 200"],
    [changed("application", { bot_user_id: "9" }), "1 application bot_user_id: there is no bot account 9"],
    [changed("webhook", { channel_id: "9" }), "1 webhook channel_id: there is no channel 9 in the guild 200"],
    [changed("webhook", { guild_id: "9" }), "1 webhook channel_id: there is no channel 401 in the guild 9"],
    [
      changed("webhook", { avatar: "0".repeat(32) }),
      "1 webhook avatar: there is no avatar 00000000000000000000000000000000"
    ],
    [changed("scheduled_message", { author_id: "9" }), "1 scheduled_message author_id: there is no user 9"],
    [changed("member", { user_id: "103" }), "1 member user_id: the user 103 was deleted"],
    [{ ...PENDING_MESSAGE, author_id: "103" }, "1 scheduled_message author_id: the user 103 was deleted"],
    [changed("consent", { user_id: "103" }), "1 consent user_id: the user 103 was deleted"],
    [changed("message", { channel_id: "9" }), "1 message channel_id: there is no channel 9 in the guild 200"],
    [
      changed("message", { id: "803", author: { type: "user", user_id: "9" } }),
      "1 message author.user_id: there is no user 9"
    ],
    [changed("credential", { user_id: "101" }), "1 credential user_id: there is no bot account 101"],
    [changed("consent", { user_id: "9" }), "1 consent user_id: there is no user 9"],
    [changed("consent", { application_id: "9" }), "1 consent application_id: there is no application 9"],
    [changed("consent", { guild_id: "9" }), "1 consent guild_id: there is no guild 9"],
    [
      changed("message", { payload: { content: "other" } }),
      "1 message id: a different message with this id exists"
    ],
    [
      { ...PENDING_MESSAGE, id: "702" },
      "1 scheduled_message status: cannot change from sent to pending"
    ],
    [
      changed("credential", { token_digest: "0".repeat(64) }),
      "1 credential id: a different or revoked credential with this id exists"
    ],
    [
      changed("credential", {
        id: "902",
        token_digest: COMMUNITY.find((record) => record["id"] === "902")?.["token_digest"]
      }),
      "1 credential id: a different or revoked credential with this id exists"
    ],
    [
      changed("credential", { id: "904" }),
      "1 credential token_digest: belongs to another credential"
    ],
    [
      changed("avatar", { hash: "0".repeat(32) }),
      "1 avatar hash: is not the hash of the data"
    ],
    [
      changed("avatar", { content_type: "image/png" }),
      "1 avatar content_type: does not match the data, which is image/gif"
    ],
    [
      changed("avatar", { data: "aGFsbG8=" }),
      "1 avatar data: is not a readable image of a supported type and size"
    ],
    [
      [changed("guild", { id: "201" }), changed("channel", { guild_id: "201" })],
      "2 channel guild_id: differs from the stored one: a channel cannot move to another guild"
    ],
    [
      [
        changed("guild", { id: "201" }),
        { ...COMMUNITY.find(({ id }) => id === "301"), guild_id: "201" }
      ],
      "2 role guild_id: differs from the stored one: a role cannot move to another guild"
    ],
    [
      [changed("guild", { id: "201" }), changed("role", { id: "201" })],
      "2 role id: is the id of another guild"
    ],
    [
      changed("guild", { id: ROLE?.["id"] }),
      "1 guild id: is the id of a role of another guild"
    ],
    [
      [PENDING_MESSAGE, { ...PENDING_MESSAGE, author_id: "101", status: "scheduled" }],
      "2 scheduled_message author_id: differs from the stored one: a message cannot move to another author"
    ],
    ...["2024-01-15T00:00:00", "+010000-01-01T00:00:00Z"].map((text) =>
      [
        changed("user", { last_active_at: text }),
        "1 user last_active_at: must be a date and time with its offset, such as 2027-03-28T09:30:00Z, in the years 0000 to 9999 of UTC"
      ] as const
    ),
    [
      changed("user", { id: "102", bot: false, email: null }),
      "1 user bot: cannot change from true"
    ],
    [
      [
        changed("user", { id: "104", bot: true, email: null, deleted_at: "2024-06-30T00:00:00Z" }),
        changed("credential", { id: "905", token_digest: "0".repeat(64), user_id: "104" })
      ],
      "2 credential user_id: the user 104 was deleted"
    ],
    [
      changed("application", { redirect_uris: ["https://example.org/cb", "myapp"] }),
      "1 application redirect_uris.1: must be an absolute URI without a fragment"
    ],
    [
      changed("application", { redirect_uris: ["javascript:alert(1)"] }),
      "1 application redirect_uris: must be addresses: blob, data, javascript and vbscript are not accepted"
    ],
    [
      changed("user", { deletion_public_reason: "x".repeat(513) }),
      "1 user deletion_public_reason: must be at most 512 characters long"
    ],
    [
      changed("user", { accent_color: 2_147_483_648 }),
      "1 user accent_color: must be -2147483648 to 2147483647"
    ],
    [changed("webhook", { name: " \t" }), "1 webhook name: must be 1 to 80 characters long"],
    [
      changed("credential", { id: "905", type: "admin", name: " ", acls: [] }),
      "1 credential name: must not be blank, and must not start or end with white space"
    ],
    [
      changed("webhook", { token_digest: null }),
      "1 webhook token: is required when token_digest is not set"
    ],
    [
      changed("webhook", { token: SECRETS.webhook }),
      "1 webhook token: must not be set together with token_digest"
    ],
    [
      changed("webhook", { token_digest: null, token: SECRETS.bot }),
      "1 webhook token: is not a webhook token: cmw_, 43 random characters, a checksum"
    ]
  ]
  for (const [records, complaint] of refused) {
    it.effect(`reports ${complaint.slice(2)}`, () =>
      Effect.gen(function*() {
        expect(yield* complaintsAbout(records)).toEqual([complaint])
      }))
  }

  it.effect("revokes a credential that is revoked in the file", () =>
    Effect.gen(function*() {
      yield* importText(toText(COMMUNITY))
      const revoked = changed("credential", { revoked_at: "2024-07-01T00:00:00.000Z" })
      const { summary } = yield* importText(toText([revoked]))
      expect([summary["credential"]?.changed, (yield* exportText).includes("\"revoked_at\":\"2024-07-01")]).toEqual([
        1,
        true
      ])
    }).pipe(Effect.provide(inMemory)))

  it.effect("limits an author to a hundred undelivered messages", () =>
    Effect.gen(function*() {
      yield* importText(toText(COMMUNITY))
      const messages = Array.from(
        { length: 101 },
        (_, index) => ({ ...PENDING_MESSAGE, id: String(10_000 + index), author_id: "101" })
      )
      const { failed } = yield* importText(toText(messages))
      expect(failed.map(({ number, problems }) => [number, problems])).toEqual([
        [101, [{ path: "author_id", reason: "has 100 undelivered messages, the maximum" }]]
      ])
    }).pipe(Effect.provide(inMemory)))

  it.effect("stores no half of a character", () =>
    Effect.gen(function*() {
      yield* importText("{\"kind\":\"user\",\"id\":\"1\",\"username\":\"a\\ud83dz\"}")
      expect(yield* exportText).toContain("\"username\":\"a\ufffdz\"")
    }).pipe(Effect.provide(inMemory)))

  it.effect("finds roles of the same file", () =>
    Effect.gen(function*() {
      yield* importText(toText(COMMUNITY))
      const role = changed("role", { id: "302" })
      const member = changed("member", { role_ids: ["301"] })
      const { failed } = yield* importText(toText([member, role, { ...member, role_ids: ["302"] }]))
      expect(failed).toEqual([])
    }).pipe(Effect.provide(inMemory)))

  it.effect("keeps a role of a member once", () =>
    Effect.gen(function*() {
      yield* importText(toText([...COMMUNITY, changed("member", { role_ids: ["301", "301"] })]))
      expect(yield* exportText).toContain("\"role_ids\":[\"301\"]")
      expect(yield* exportText).not.toContain("\"301\",\"301\"")
    }).pipe(Effect.provide(inMemory)))

  it.effect("imports more lines than fit into one transaction", () =>
    Effect.gen(function*() {
      const users = Array.from({ length: 5000 }, (_, index) => ({ ...user, id: String(index), bio: "x".repeat(500) }))
      const { summary } = yield* importText(toText(users))
      expect(summary).toEqual({ user: { added: 5000, changed: 0, unchanged: 0, failed: 0 } })
    }).pipe(Effect.provide(inMemory)))
})
