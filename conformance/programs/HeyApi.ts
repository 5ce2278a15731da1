import { client } from "../generated/client/client.gen.js"
import {
  changeUserEmail,
  executeCodeHostWebhook,
  executeErrorTrackerWebhook,
  grantOAuth2Consent,
  type GuildMember,
  listScheduledMessages,
  type MemberSearch,
  scheduleAccountDeletion,
  searchGuildMembers,
  updateWebhook
} from "../generated/client/index.js"
import { report, world } from "./World.js"

/*
 * Calls all eight operations with the client that hey-api generates.
 */

client.setConfig({ baseUrl: world.baseUrl })

const path = { webhook_id: world.webhookId, token: world.webhookToken }
const asBot = { auth: world.bot }
const asAdmin = { auth: world.admin }

const consent = await grantOAuth2Consent({
  ...asBot,
  body: { client_id: world.clientId, scope: "identify bot", guild_id: world.guildId, permissions: "3072" }
})
const scheduled = await listScheduledMessages({ ...asBot, query: { status: ["pending", "scheduled"] } })
const found = await searchGuildMembers({ ...asBot, path: { guild_id: world.guildId }, body: {} })
const refused = await searchGuildMembers({ ...asBot, path: { guild_id: world.guildId }, body: { limit: 1000 } })
const email = await changeUserEmail({
  ...asAdmin,
  body: { user_id: world.userId, email: `user-${world.userId}@example.com` }
})
const deletion = await scheduleAccountDeletion({ ...asAdmin, body: { user_id: world.userId, reason_code: 1 } })
const codeHost = await executeCodeHostWebhook({
  path,
  headers: { "x-github-event": "watch" },
  body: { action: "started", sender: { id: 1, login: "bjork", avatar_url: null }, ref: null, commits: null }
})
const errorTracker = await executeErrorTrackerWebhook({
  path,
  body: { action: "resolved", data: { issue: { id: "1", title: "TypeError", permalink: null } } }
})
const webhook = await updateWebhook({ path, body: { name: "Kiln lights", avatar: null } })

/** The types of responses are those of the resources: each line is an error if a field has another type. */
const member: GuildMember | undefined = found.data?.members[0]
const total: number | undefined = found.data?.total_result_count
const nickname: string | null | undefined = member?.nickname
const pendingDeletion: string | null | undefined = deletion.data?.user.pending_deletion_at

/** The code distinguishes errors. */
const violations = refused.error?.code === "INVALID_FORM_BODY" ? refused.error.errors.map((each) => each.code) : []

// @ts-expect-error: a field that does not exist is an error of the compiler.
const wrongField: MemberSearch = { limt: 1 }

report({
  consent: consent.data?.redirect_to,
  scheduled: scheduled.data?.length,
  total,
  email: email.data?.user.email,
  pendingDeletion,
  codeHost: codeHost.response?.status,
  errorTracker: errorTracker.response?.status,
  webhook: webhook.data?.name,
  violations,
  others: [nickname, wrongField].length
})
