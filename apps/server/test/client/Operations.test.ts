import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { Effect, Option } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../http/Fixtures.ts"
import { onEachStorage } from "../http/TestServer.ts"
import { apiErrorOf, clientWith, pathOf } from "./ConnectedClient.ts"

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

/** The number of messages in the channel of the webhook. */
const posted = ({ webhook }: Effect.Effect.Success<typeof Fixtures.webhook>) =>
  Effect.flatMap(MessageRepository, (messages) =>
    Effect.map(
      Effect.orDie(messages.inChannel({ channelId: webhook.channelId, before: Option.none(), limit: 10 })),
      (found) => found.length
    ))

onEachStorage("A client in JavaScript", (it) => {
  it.effect("lists scheduled messages, also by several statuses", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const pending = yield* Fixtures.scheduledMessage(user.id)
      const sent = yield* Fixtures.scheduledMessage(user.id, { status: "sent" })
      const { scheduledMessages } = yield* clientWith({ bot: token })
      const undelivered = yield* Effect.promise(() => scheduledMessages.list())
      expect(undelivered.map(({ id, payload }) => [id, payload.content])).toEqual([[pending.id, "hello"]])
      const others = yield* Effect.promise(() => scheduledMessages.list({ query: { status: ["sent", "failed"] } }))
      expect(others.map(({ id }) => id)).toEqual([sent.id])
    }))

  it.effect("searches members, and cannot reach another path with any parameter of the path", () =>
    Effect.gen(function*() {
      const { guild, token, user } = yield* Fixtures.botWithGuild
      const client = yield* clientWith({ bot: token })
      const page = yield* Effect.promise(() =>
        client.guildMembers.search({ path: { guild_id: guild.id }, body: { is_bot: true, sort_by: "relevance" } })
      )
      expect(page).toMatchObject({ guild_id: guild.id, total_result_count: 1, members: [{ user_id: user.id }] })
      const search = () => client.guildMembers.search({ path: { guild_id: `${GuildId.make("1")}/../2?x=#` }, body: {} })
      expect(yield* apiErrorOf(search)).toMatchObject({ code: "INVALID_FORM_BODY", violations: [{ path: "guild_id" }] })
    }))

  it.effect("schedules a deletion, and reads its record in the audit log", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { id } = yield* Fixtures.person()
      const client = yield* clientWith({ admin: token })
      const { user } = yield* Effect.promise(() =>
        client.administration.scheduleDeletion({ body: { user_id: id, reason_code: 3, days_until_deletion: 14 } })
      )
      expect(user).toMatchObject({ id, deletion_reason_code: 3 })

      const { records } = yield* Effect.promise(() => client.logs.readAuditLog({ query: { after: 0, limit: 100 } }))
      const found = records.filter((record) => record.target_id === id).map(({ action }) => action)
      expect(found).toEqual(["user.schedule_deletion"])
    }))

  it.effect("posts a notification of the code host, once for each delivery", () =>
    Effect.gen(function*() {
      const made = yield* Fixtures.webhook
      const client = yield* clientWith()
      const post = () =>
        client.webhooks.executeCodeHost({
          path: pathOf(made),
          headers: { "x-github-event": "watch", "x-github-delivery": "d-1" },
          body: { action: "started", sender: { login: "ada" }, repository: { full_name: "riverside/kiln" } }
        })
      expect(yield* Effect.promise(post)).toBeUndefined()
      yield* Effect.promise(post)
      expect(yield* posted(made)).toBe(1)
    }))

  it.effect("updates a webhook, its name and its avatar", () =>
    Effect.gen(function*() {
      const made = yield* Fixtures.webhook
      const client = yield* clientWith()
      const body = { name: " Kiln lights ", avatar: `data:image/png;base64,${PNG}` }
      const updated = yield* Effect.promise(() => client.webhooks.update({ path: pathOf(made), body }))
      expect(updated).toMatchObject({ id: made.webhook.id, name: "Kiln lights", token: pathOf(made).token })
      expect(updated.avatar).toMatch(/^[0-9a-f]{32}$/)
      const removed = yield* Effect.promise(() =>
        client.webhooks.update({ path: pathOf(made), body: { avatar: null } })
      )
      expect(removed.avatar).toBeNull()
    }))
})
