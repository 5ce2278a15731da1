import createClient from "openapi-fetch"
import type { components, paths } from "../generated/schema.js"
import { report, world } from "./World.js"

/*
 * Calls all eight operations with openapi-fetch and the types of openapi-typescript, both with their defaults.
 */

const bot = createClient<paths>({ baseUrl: world.baseUrl, headers: { Authorization: world.bot } })
const admin = createClient<paths>({ baseUrl: world.baseUrl, headers: { Authorization: world.admin } })
const anonymous = createClient<paths>({ baseUrl: world.baseUrl })
const path = { webhook_id: world.webhookId, token: world.webhookToken }

const consent = await bot.POST("/v1/oauth2/authorize/consent", {
  body: { client_id: world.clientId, scope: "identify bot", guild_id: world.guildId, permissions: "3072" }
})
const scheduled = await bot.GET("/v1/users/@me/scheduled-messages", {
  params: { query: { status: ["pending", "scheduled"] } }
})
const search = { params: { path: { guild_id: world.guildId } } }
// Fields with a default may be left out.
const found = await bot.POST("/v1/guilds/{guild_id}/members-search", { ...search, body: {} })
const refused = await bot.POST("/v1/guilds/{guild_id}/members-search", { ...search, body: { limit: 1000 } })
const email = await admin.POST("/v1/admin/users/change-email", {
  body: { user_id: world.userId, email: `user-${world.userId}@example.com` }
})
const deletion = await admin.POST("/v1/admin/users/schedule-deletion", {
  body: { user_id: world.userId, reason_code: 1 }
})
const codeHost = await anonymous.POST("/v1/webhooks/{webhook_id}/{token}/github", {
  params: { path, header: { "x-github-event": "watch" } },
  // The provider sends null for missing values.
  body: { action: "started", sender: { id: 1, login: "bjork", avatar_url: null }, ref: null, commits: null }
})
const errorTracker = await anonymous.POST("/v1/webhooks/{webhook_id}/{token}/sentry", {
  params: { path },
  body: { action: "resolved", data: { issue: { id: "1", title: "TypeError", permalink: null } } }
})
const webhook = await anonymous.PATCH("/v1/webhooks/{webhook_id}/{token}", {
  params: { path },
  body: { name: "Kiln lights", avatar: null }
})

/** The types of responses are those of the resources: each line is an error if a field has another type. */
const member: components["schemas"]["GuildMember"] | undefined = found.data?.members[0]
const total: number | undefined = found.data?.total_result_count
const nickname: string | null | undefined = member?.nickname
const pendingDeletion: string | null | undefined = deletion.data?.user.pending_deletion_at
const status: components["schemas"]["ScheduledMessageStatus"] | undefined = scheduled.data?.[0]?.status
const avatar: string | null | undefined = webhook.data?.avatar

/** The code distinguishes errors. */
const violations = refused.error?.code === "INVALID_FORM_BODY" ? refused.error.errors.map((each) => each.code) : []
const wait: number | undefined = refused.error?.code === "RATE_LIMITED" ? refused.error.retry_after : undefined

// @ts-expect-error: a field that does not exist is an error of the compiler.
const wrongField = { limt: 1 } satisfies components["schemas"]["MemberSearch"]
// @ts-expect-error: so is an unknown value.
const wrongValue = { sort_by: "username" } satisfies components["schemas"]["MemberSearch"]

report({
  consent: consent.data?.redirect_to,
  scheduled: scheduled.data?.length,
  total,
  email: email.data?.user.email,
  pendingDeletion,
  codeHost: codeHost.response.status,
  errorTracker: errorTracker.response.status,
  webhook: webhook.data?.name,
  violations,
  others: [nickname, status, avatar, wait, wrongField, wrongValue].length
})
