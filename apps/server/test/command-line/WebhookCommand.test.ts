import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { besideLive } from "../composed/ComposedServer.ts"
import { AVATAR_HASH, SECRETS } from "../transfer/Community.ts"
import { community, run } from "./Terminal.ts"

const Issued = Schema.parseJson(Schema.Struct({ id: Schema.String, token: Schema.String }))
const Listed = Schema.parseJson(Schema.Array(Schema.Struct({ id: Schema.String })))

const BUILDS = { id: "601", guild_id: "200", channel_id: "401", name: "Builds", avatar: AVATAR_HASH }

const opens = (secret: string) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    webhooks.authenticate(WebhookId.make("601"), Redacted.make(secret)).pipe(
      Effect.as("opened"),
      Effect.catchAll(({ _tag }) => Effect.succeed(_tag))
    ))

layer(NodeContext.layer, { excludeTestServices: true })("the webhook commands", (it) => {
  it.scoped("list webhooks without their tokens, of a guild or of a channel, and show one", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      yield* run(["webhook", "create", "--channel", "401", "--name", "Alarm"], { DATA_DIR })
      const { stdout } = yield* run(["webhook", "list", "--guild", "200"], { DATA_DIR })
      expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(1))).toEqual([
        ["NAME", "GUILD", "CHANNEL"],
        ["Builds", "200", "401"],
        ["Alarm", "200", "401"],
        []
      ])
      const ofChannel = yield* run(["--channel=401", "webhook", "list", "--json", "--limit", "1"], { DATA_DIR })
      expect(yield* Schema.decode(Schema.parseJson(Schema.Unknown))(ofChannel.stdout)).toEqual([BUILDS])
      expect(ofChannel.stderr).toBe("There are more: add --after 601\n")
      const rest = yield* run(["webhook", "list", "--json", "--after", "601"], { DATA_DIR })
      expect((yield* Schema.decode(Listed)(rest.stdout)).length).toBe(1)
      const { stdout: shown } = yield* run(["webhook", "show", "601", "--json"], { DATA_DIR })
      expect(yield* Schema.decode(Schema.parseJson(Schema.Unknown))(shown)).toEqual({
        ...BUILDS,
        created_at: "2015-01-01T00:00:00.000Z"
      })
      expect((yield* run(["webhook", "list", "--guild", "999"], { DATA_DIR })).stderr).toBe(
        "There is no such webhook.\n"
      )
    }))

  it.scoped("replace a token: the old one stops at once in a running service, and the new one works", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      yield* Effect.gen(function*() {
        const before = yield* opens(SECRETS.webhook)
        const rotated = yield* run(["webhook", "rotate", "601", "--json"], { DATA_DIR })
        const { token } = yield* Schema.decode(Issued)(rotated.stdout)
        expect([before, yield* opens(SECRETS.webhook), yield* opens(token)]).toEqual([
          "opened",
          "WebhookTokenMismatch",
          "opened"
        ])
        // The path alone, so that it can be piped.
        const { stderr, stdout } = yield* run(["webhook", "rotate", "601"], { DATA_DIR })
        expect(stdout).toMatch(/^\/v1\/webhooks\/601\/cmw_[\w-]+\n$/)
        expect(stderr).toContain("rejects the old one")
      }).pipe(Effect.provide(besideLive({ DATA_DIR })))
    }))

  it.scoped("delete a webhook, which closes its address and leaves its messages, with records in the audit log", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      yield* run(["webhook", "rotate", "601"], { DATA_DIR })
      yield* Effect.gen(function*() {
        expect((yield* run(["webhook", "delete", "601"], { DATA_DIR })).succeeded).toBe(true)
        expect(yield* opens(SECRETS.webhook)).toBe("UnknownWebhook")
        const records = yield* Effect.flatMap(AuditLog, (log) => log.read(0, 10))
        expect(records.map(({ record }) => [record.action, record.targetId, record.actor._tag])).toEqual([
          ["webhook.rotate_token", "601", "CommandLine"],
          ["webhook.delete", "601", "CommandLine"]
        ])
      }).pipe(Effect.provide(besideLive({ DATA_DIR })))
      expect((yield* run(["webhook", "delete", "601"], { DATA_DIR })).stderr).toBe(
        "community-messaging: There is no webhook 601.\n"
      )
      expect((yield* run(["message", "list", "--channel", "401"], { DATA_DIR })).stdout).toContain(
        "Builds (webhook 601)"
      )
    }))
})
