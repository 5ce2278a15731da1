import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Schema } from "effect"
import type { Example } from "../wire/Example.ts"
import type { CodeHostBody, ErrorTrackerBody, UpdateWebhookBody } from "./Api.ts"
import type { WebhookResource } from "./WebhookResource.ts"

const addressed = { webhook_id: WebhookId.make("1573950414577991680"), token: "cmw_l99QQxocL3XJ0d" }

const opened: Schema.Schema.Encoded<typeof CodeHostBody> = {
  action: "opened",
  sender: {
    id: 1,
    login: "bjork",
    html_url: "https://github.com/bjork",
    avatar_url: "https://avatars.githubusercontent.com/u/1"
  },
  repository: { id: 7, name: "kiln", full_name: "riverside/kiln", html_url: "https://github.com/riverside/kiln" },
  issue: {
    id: 41,
    number: 12,
    html_url: "https://github.com/riverside/kiln/issues/12",
    user: { id: 1, login: "bjork" },
    title: "The kiln does not reach 1200 °C",
    body: "Since **Tuesday** it stops at 1150 °C."
  }
}

const resolved: Schema.Schema.Encoded<typeof ErrorTrackerBody> = {
  action: "resolved",
  installation: { uuid: "a8e5d37a-696c-4c54-adb5-b3f28d64c7de" },
  data: {
    issue: {
      id: "1170820242",
      shortId: "KILN-7",
      title: "TypeError: temperature is undefined",
      culprit: "readings/average",
      permalink: "https://riverside.sentry.io/issues/1170820242/",
      level: "error",
      status: "resolved",
      platform: "node",
      project: { id: "2", name: "Kiln", slug: "kiln", platform: "node" },
      metadata: { type: "TypeError", value: "temperature is undefined" },
      count: "17",
      userCount: 3,
      firstSeen: "2026-11-20T17:03:32.000Z",
      lastSeen: "2026-11-22T05:12:09.000Z"
    }
  },
  actor: { type: "user", id: 789, name: "Björk" }
}

/** The smallest PNG: one transparent pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

const update: Schema.Schema.Encoded<typeof UpdateWebhookBody> = { name: "Kiln lights", avatar: PIXEL }

const updated: WebhookResource = {
  id: addressed.webhook_id,
  guild_id: GuildId.make("573071110963200001"),
  channel_id: ChannelId.make("573071110963200011"),
  name: "Kiln lights",
  token: addressed.token,
  avatar: "497790947d4666760ce38f3c00e852c7"
}

/** The examples of the operations on webhooks. */
export const webhooks = {
  executeCodeHostWebhook: {
    // Without a delivery's id: with one, a page that sends the example several times would post once.
    parameters: { ...addressed, "x-github-event": "issues" },
    request: opened,
    violations: [
      { path: "sender", message: "is required", code: "REQUIRED" },
      { path: "commits", message: "must be an array or null", code: "INVALID_FORMAT" }
    ]
  },
  executeErrorTrackerWebhook: {
    parameters: { ...addressed, "sentry-hook-resource": "issue" },
    request: resolved,
    violations: [{ path: "data.issue.title", message: "must be a string or null", code: "INVALID_FORMAT" }]
  },
  updateWebhook: {
    parameters: addressed,
    request: update,
    response: updated,
    violations: [{
      path: "avatar",
      message: "must be a base64 data URI of a PNG, JPEG, GIF, WebP or AVIF image",
      code: "INVALID_IMAGE_FORMAT"
    }]
  }
} satisfies Record<string, Example>
