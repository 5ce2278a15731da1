import { DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import {
  UserDeleted,
  UserDeletionCancelled,
  UserDeletionScheduled,
  UserUpdated
} from "@community-messaging/domain/account/UserEvents"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberJoined, MemberLeft, MemberUpdated } from "@community-messaging/domain/guild/MemberEvents"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ConsentGranted } from "@community-messaging/domain/oauth2/ConsentEvents"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageUpdated } from "@community-messaging/domain/scheduled-message/ScheduledMessageEvents"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { WebhookDeleted, WebhookUpdated } from "@community-messaging/domain/webhook/WebhookEvents"
import { DateTime, Effect, Option, Queue } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../Fixtures.ts"
import { at } from "../JsonPath.ts"
import { errorsOfClosed } from "../JsonSchemaCheck.ts"
import * as ServerSentEvents from "../ServerSentEvents.ts"
import { onEachStorage } from "../TestServer.ts"

const userId = UserId.make("11")
const guildId = GuildId.make("12")
const channelId = ChannelId.make("13")
const avatar = AvatarHash.make("0123456789abcdef0123456789abcdef")
const inGuild = { guild_id: "12", user_id: "11" }

/** Events with all fields, and without optional ones. */
const EVENTS: ReadonlyArray<readonly [type: string, event: DomainEvent, data: unknown]> = [
  [
    "scheduled_message.updated",
    ScheduledMessageUpdated.make({
      version: 1,
      scheduledMessageId: ScheduledMessageId.make("14"),
      authorId: userId,
      status: "pending"
    }),
    { scheduled_message_id: "14", author_id: "11", status: "pending" }
  ],
  [
    "user.updated",
    UserUpdated.make({ version: 1, userId, changed: ["email"] }),
    { user_id: "11", changed: ["email"] }
  ],
  [
    "user.deletion_scheduled",
    UserDeletionScheduled.make({
      version: 1,
      userId,
      pendingDeletionAt: DateTime.unsafeMake("2027-01-15T12:00:00.000Z"),
      reasonCode: DeletionReasonCode.make(2),
      publicReason: Option.some("Spam")
    }),
    { user_id: "11", pending_deletion_at: "2027-01-15T12:00:00.000Z", reason_code: 2, public_reason: "Spam" }
  ],
  ["user.deletion_cancelled", UserDeletionCancelled.make({ version: 1, userId }), { user_id: "11" }],
  ["user.deleted", UserDeleted.make({ version: 1, userId }), { user_id: "11" }],
  [
    "webhook.updated",
    WebhookUpdated.make({
      version: 1,
      webhookId: WebhookId.make("15"),
      guildId,
      channelId,
      name: "Builds",
      avatar: Option.some(avatar)
    }),
    { webhook_id: "15", guild_id: "12", channel_id: "13", name: "Builds", avatar }
  ],
  [
    "webhook.deleted",
    WebhookDeleted.make({ version: 1, webhookId: WebhookId.make("15"), guildId, channelId }),
    { webhook_id: "15", guild_id: "12", channel_id: "13" }
  ],
  [
    "consent.granted",
    ConsentGranted.make({
      version: 1,
      userId,
      applicationId: ApplicationId.make("16"),
      scopes: ["bot"],
      guildId: Option.some(guildId),
      permissions: Option.some(Permissions.make(2048n))
    }),
    { user_id: "11", client_id: "16", scopes: ["bot"], guild_id: "12", permissions: "2048" }
  ],
  [
    "consent.granted",
    ConsentGranted.make({
      version: 1,
      userId,
      applicationId: ApplicationId.make("16"),
      scopes: ["identify"],
      guildId: Option.none(),
      permissions: Option.none()
    }),
    { user_id: "11", client_id: "16", scopes: ["identify"], guild_id: null, permissions: null }
  ],
  ["member.joined", MemberJoined.make({ version: 1, guildId, userId }), inGuild],
  ["member.updated", MemberUpdated.make({ version: 1, guildId, userId }), inGuild],
  ["member.left", MemberLeft.make({ version: 1, guildId, userId }), inGuild]
]

/** The events in the stream (Events, Types). */
onEachStorage("The events of the stream", (it) => {
  it.scoped("have their type, their version and all fields of their data", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const log = yield* EventLog
      const after = (yield* log.read(0, 1_000_000)).at(-1)?.sequence ?? 0
      for (const [, event] of EVENTS) yield* log.append(event)
      const stream = yield* ServerSentEvents.open(`/v1/admin/events?after=${after}`, token)
      const received = yield* Queue.takeN(stream, EVENTS.length)
      expect(
        Array.from(received, ({ data, event }) => [event, at(data, "type"), at(data, "version"), at(data, "data")])
      )
        .toEqual(EVENTS.map(([type, , data]) => [type, type, 1, data]))
      const asDocumented = { $ref: "#/components/schemas/Event" }
      for (const { data } of received) {
        expect(errorsOfClosed(asDocumented, data)).toEqual([])
      }
    }))
})
