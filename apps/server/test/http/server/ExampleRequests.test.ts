import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import {
  LocalDateTime,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { DateTime, Effect, Option, Redacted } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../Fixtures.ts"
import { type HttpRequest, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { entriesOf, operations } from "../PublishedDocument.ts"
import { onMemory } from "../TestServer.ts"

/*
 * The examples of the OpenAPI document, sent to the server: it responds as documented.
 */

const operation = (id: string) => operations.find((each) => at(each.operation, "operationId") === id)?.operation

const requestOf = (id: string): unknown => at(operation(id), "requestBody", "content", "application/json", "example")

const responseOf = (id: string): unknown =>
  at(operation(id), "responses", "200", "content", "application/json", "example")

const invalidFormBodyOf = (id: string): unknown =>
  at(operation(id), "responses", "400", "content", "application/json", "examples", "INVALID_FORM_BODY", "value")

const USER = Users.UserId.make("406135920647996647")
const GUILD = GuildId.make("573071110963200001")
const ROLE = RoleId.make("573071110963200012")
const INVITER = Users.UserId.make("573071110963200003")

/** The account, the guild and the member of the examples. */
const community = Effect.gen(function*() {
  const users = yield* UserRepository
  const caller = yield* Fixtures.bot
  yield* users.save(Users.create({ id: INVITER, username: "inviter" }))
  yield* users.save(
    Users.create({
      id: USER,
      username: "jokull.thorsson",
      globalName: "Jökull Þórsson",
      email: EmailAddress.make("someone@example.org")
    })
  )
  yield* Saved.guild({ id: GUILD, ownerId: caller.user.id })
  yield* Fixtures.member(GUILD, caller.user.id)
  yield* Saved.role({ id: ROLE, guildId: GUILD })
  yield* Fixtures.member(GUILD, USER, {
    nickname: Option.some("kiln keeper"),
    roleIds: [ROLE],
    joinedAt: 1_695_534_437,
    joinSourceType: Option.some(1),
    sourceInviteCode: Option.some("riverside"),
    inviterId: Option.some(INVITER)
  })
  return caller
})

const path = (name: string) => `/v1${name}`

onMemory("The server, with the example requests of the OpenAPI document", (it) => {
  it.effect("finds the member, and changes and schedules the deletion of the account", () =>
    Effect.gen(function*() {
      const { token: bot } = yield* community
      const { token: admin } = yield* Fixtures.adminKey("*")
      const found = yield* send(path(`/guilds/${GUILD}/members-search`), {
        bot,
        body: requestOf("searchGuildMembers")
      })
      expect(found.json).toEqual(responseOf("searchGuildMembers"))
      const changed = yield* send(path("/admin/users/change-email"), { admin, body: requestOf("changeUserEmail") })
      expect(changed.json).toEqual(responseOf("changeUserEmail"))
      const scheduled = yield* send(path("/admin/users/schedule-deletion"), {
        admin,
        body: requestOf("scheduleAccountDeletion")
      })
      const example = responseOf("scheduleAccountDeletion")
      // Two weeks from the day of the request.
      const pending_deletion_at = at(scheduled.json, "user", "pending_deletion_at")
      expect(scheduled.json).toEqual({
        user: { ...Object.fromEntries(entriesOf(at(example, "user"))), pending_deletion_at }
      })
    }))

  it.effect("lists the scheduled message", () =>
    Effect.gen(function*() {
      const { token: bot, user } = yield* Fixtures.bot
      yield* Fixtures.scheduledMessage(user.id, {
        id: ScheduledMessageId.make("1573950414577991681"),
        channelId: ChannelId.make("573071110963200011"),
        scheduledAt: DateTime.unsafeMake("2027-03-28T07:30:00.000Z"),
        scheduledLocalAt: LocalDateTime.make("2027-03-28T09:30:00"),
        timezone: TimeZoneName.make("Europe/Berlin"),
        status: "scheduled",
        payload: MessagePayload.make({ content: Option.some("The kiln is open from ten today.") }),
        createdAt: DateTime.unsafeMake("2026-11-22T06:37:01.414Z")
      })
      const listed = yield* send(path("/users/@me/scheduled-messages?status=scheduled"), { bot })
      expect(listed.json).toEqual(responseOf("listScheduledMessages"))
    }))

  it.effect("redirects after consent, with its own code", () =>
    Effect.gen(function*() {
      const { token: bot, user } = yield* Fixtures.bot
      const botUser = yield* Fixtures.person({ bot: true })
      yield* Saved.guild({ id: GUILD, ownerId: user.id })
      yield* Fixtures.member(GUILD, user.id)
      yield* (yield* ApplicationRepository).save(
        Samples.application({
          id: ApplicationId.make("573071110963200021"),
          botUserId: Option.some(botUser.id),
          redirectUris: ["https://app.example.com/callback"]
        })
      )
      const granted = yield* send(path("/oauth2/authorize/consent"), { bot, body: requestOf("grantOAuth2Consent") })
      const withoutCode = (redirect: unknown) => String(redirect).replace(/code=cmc_[\w-]+/, "code=")
      expect(withoutCode(at(granted.json, "redirect_to"))).toBe(
        withoutCode(at(responseOf("grantOAuth2Consent"), "redirect_to"))
      )
    }))

  it.effect("accepts the notifications, and changes the webhook", () =>
    Effect.gen(function*() {
      const { path: hook, token, webhook } = yield* Fixtures.webhook
      expect((yield* send(`${hook}/github`, { body: requestOf("executeCodeHostWebhook") })).status).toBe(204)
      expect((yield* send(`${hook}/sentry`, { body: requestOf("executeErrorTrackerWebhook") })).status).toBe(204)
      const updated = yield* send(hook, { method: "PATCH", body: requestOf("updateWebhook") })
      expect(updated.json).toEqual({
        ...Object.fromEntries(entriesOf(responseOf("updateWebhook"))),
        id: webhook.id,
        guild_id: webhook.guildId,
        channel_id: webhook.channelId,
        token: Redacted.value(token)
      })
    }))

  it.effect("reports the violations of the examples", () =>
    Effect.gen(function*() {
      const { guild, token: bot } = yield* Fixtures.botWithGuild
      const { token: admin } = yield* Fixtures.adminKey("*")
      const { path: hook } = yield* Fixtures.webhook
      const { email } = yield* Fixtures.person({ email: EmailAddress.make("taken@example.com") })
      const { id } = yield* Fixtures.person()
      const requests: ReadonlyArray<readonly [id: string, path: string, request: HttpRequest]> = [
        ["grantOAuth2Consent", path("/oauth2/authorize/consent"), { bot, body: { client_id: "007" } }],
        ["listScheduledMessages", path("/users/@me/scheduled-messages?status=late"), { bot }],
        [
          "searchGuildMembers",
          path(`/guilds/${guild.id}/members-search`),
          { bot, body: { limit: 1000, role_ids: ["1", 5], sort_by: "x" } }
        ],
        [
          "scheduleAccountDeletion",
          path("/admin/users/schedule-deletion"),
          { admin, body: { user_id: id, reason_code: 1, days_until_deletion: 366 } }
        ],
        [
          "changeUserEmail",
          path("/admin/users/change-email"),
          { admin, body: { user_id: id, email: Option.getOrThrow(email) } }
        ],
        ["executeCodeHostWebhook", `${hook}/github`, { body: { commits: {} } }],
        ["executeErrorTrackerWebhook", `${hook}/sentry`, { body: { data: { issue: { title: 5 } } } }],
        ["updateWebhook", hook, { method: "PATCH", body: { avatar: "image.png" } }],
        ["streamEvents", path("/admin/events?after=-1"), { admin }],
        ["readAuditLog", path("/admin/audit-log?limit=0"), { admin }]
      ]
      const answers = yield* Effect.forEach(requests, ([, target, request]) => send(target, request))
      expect(answers.map((answer) => answer.json)).toEqual(
        requests.map(([operationId]) => invalidFormBodyOf(operationId))
      )
    }))
})
