import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { INT32, INT64 } from "./Rules.ts"

/*
 * JSON schemas of bodies and answers, as a user of Fastify writes them: it compiles a validator and a serialiser of each.
 */

const string = { type: "string" } as const
const boolean = { type: "boolean" } as const
const snowflake = { type: "string", format: "snowflake" } as const
const int32 = { type: "integer", ...INT32 } as const
const int64 = { type: "integer", ...INT64 } as const

const object = (properties: object, required: ReadonlyArray<string> = []) => ({ type: "object", properties, required })

/** Null as well as its type. */
const listed = (schema: object) => ({ ...schema, nullable: true })
const listedString = listed(string)
const listedId = { anyOf: [string, int64, { type: "null" }] } as const
const texts = { type: "array", maxItems: 10, items: string } as const

/** API reference, Grant OAuth2 consent. */
export const consentBody = object({
  client_id: snowflake,
  scope: string,
  response_type: string,
  redirect_uri: string,
  state: { type: "string", maxLength: 1024 },
  permissions: { type: "string", pattern: "^(0|[1-9][0-9]{0,77})$" },
  guild_id: snowflake
}, ["client_id", "scope"])

/** API reference, Search guild members. */
export const memberSearchBody = object({
  query: { type: "string", maxLength: 100 },
  limit: { type: "integer", minimum: 1, maximum: 100 },
  offset: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  role_ids: texts,
  joined_at_gte: int64,
  joined_at_lte: int64,
  join_source_type: { type: "array", maxItems: 10, items: int32 },
  source_invite_code: texts,
  is_bot: boolean,
  user_created_at_gte: int64,
  user_created_at_lte: int64,
  sort_by: { type: "string", enum: ["joinedAt", "relevance"] },
  sort_order: { type: "string", enum: ["asc", "desc"] }
})

/** API reference, List scheduled messages. */
export const statusQuery = object({
  status: {
    anyOf: [
      { type: "string", enum: ScheduledMessageStatus.literals },
      { type: "array", items: { type: "string", enum: ScheduledMessageStatus.literals } }
    ]
  }
})

/** API reference, Search guild members. */
export const guildParams = object({ guild_id: snowflake }, ["guild_id"])

/** API reference, Schedule account deletion. */
export const scheduleDeletionBody = object({
  user_id: snowflake,
  reason_code: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
  public_reason: { type: "string", maxLength: 512 },
  days_until_deletion: { type: "integer", minimum: 1, maximum: 365 }
}, ["user_id", "reason_code"])

/** API reference, Change user email. */
export const changeEmailBody = object(
  { user_id: snowflake, email: { type: "string", format: "service-email" } },
  ["user_id", "email"]
)

/** API reference, Update webhook with token. */
export const updateWebhookBody = object({
  name: { type: "string", format: "webhook-name" },
  avatar: { type: "string", format: "avatar", nullable: true }
})

const actor = object({ id: listedId, login: listedString, html_url: listedString, avatar_url: listedString })
const commit = object({
  id: listedId,
  url: listedString,
  message: listedString,
  author: listed(object({ name: listedString, username: listedString }))
})
const comment = object({
  id: listedId,
  html_url: listedString,
  user: listed(actor),
  body: listedString,
  commit_id: listedString
})
const pullRequests = listed({ type: "array", items: object({ number: listed(int64) }) })
const checkSuite = object({
  head_sha: listedString,
  app: listed(object({ name: listedString })),
  conclusion: listedString,
  head_branch: listedString,
  pull_requests: pullRequests
})
const checkRun = object({
  name: listedString,
  html_url: listedString,
  check_suite: listed(checkSuite),
  conclusion: listedString,
  details_url: listedString,
  output: listed(object({ title: listedString, summary: listedString })),
  pull_requests: pullRequests
})
const subject = {
  number: listed(int64),
  html_url: listedString,
  user: listed(actor),
  title: listedString,
  body: listedString
}
const repository = object({ id: listedId, html_url: listedString, name: listedString, full_name: listedString })

/** API reference, Execute code-hosting webhook. */
export const codeHostBody = object({
  sender: object(
    { id: listedId, login: string, html_url: listedString, avatar_url: listedString },
    ["login"]
  ),
  action: listedString,
  answer: listed(comment),
  check_run: listed(checkRun),
  check_suite: listed(checkSuite),
  comment: listed(comment),
  commits: listed({ type: "array", items: commit }),
  compare: listedString,
  discussion: listed(object({ ...subject, answer_html_url: listedString })),
  forced: listed(boolean),
  forkee: listed(repository),
  head_commit: listed(commit),
  issue: listed(object({ ...subject, id: listedId })),
  member: listed(actor),
  pull_request: listed(object({ ...subject, id: listedId })),
  ref_type: listedString,
  ref: listedString,
  release: listed(object({ id: listedId, tag_name: listedString, html_url: listedString, body: listedString })),
  repository: listed(repository),
  review: listed(
    object({ user: listed(actor), html_url: listedString, state: listedString, body: listedString })
  )
}, ["sender"])

/** API reference, Execute error-tracking webhook. */
export const errorTrackerBody = object({
  action: listedString,
  installation: listed(object({ uuid: listedString })),
  data: listed(object({
    issue: listed(object({
      id: listedId,
      shortId: listedString,
      title: listedString,
      permalink: listedString,
      level: listedString,
      status: listedString,
      platform: listedString,
      project: listed(
        object({ id: listedId, name: listedString, slug: listedString, platform: listedString })
      ),
      type: listedString,
      metadata: listed(object({ value: listedString, type: listedString })),
      count: listedId,
      userCount: listedId,
      firstSeen: listedString,
      lastSeen: listedString,
      culprit: listedString
    }))
  })),
  actor: listed(object({ type: listedString, id: listedId, name: listedString }))
})

const all = (properties: object) => object(properties, Object.keys(properties))
const listOf = (items: object) => ({ type: "array", items })

/** API reference, Grant OAuth2 consent. */
export const consentAnswer = { 200: all({ redirect_to: string }) }

/** API reference, List scheduled messages. What messages carry is left to `JSON.stringify`: it has dozens of optional members. */
export const scheduledMessagesAnswer = {
  200: listOf(all({
    id: string,
    channel_id: string,
    scheduled_at: string,
    scheduled_local_at: string,
    timezone: string,
    status: string,
    status_reason: listedString,
    payload: { type: "object", additionalProperties: true },
    created_at: string,
    invalidated_at: listedString
  }))
}

/** API reference, Search guild members. */
export const memberSearchAnswer = {
  200: all({
    guild_id: string,
    members: listOf(all({
      id: string,
      guild_id: string,
      user_id: string,
      username: string,
      discriminator: string,
      global_name: listedString,
      nickname: listedString,
      role_ids: listOf(string),
      joined_at: { type: "integer" },
      supplemental: all({
        source_invite_code: listedString,
        inviter_id: listedString,
        join_source_type: listed({ type: "integer" })
      }),
      is_bot: boolean
    })),
    page_result_count: { type: "integer" },
    total_result_count: { type: "integer" },
    indexing: boolean
  })
}

const listedInteger = listed({ type: "integer" })
const listedBoolean = listed(boolean)

/** API reference, Schedule account deletion and Change user email. */
export const userAnswer = {
  200: all({
    user: all({
      id: string,
      username: string,
      discriminator: { type: "integer" },
      global_name: listedString,
      bot: boolean,
      system: boolean,
      flags: string,
      avatar: listedString,
      banner: listedString,
      bio: listedString,
      pronouns: listedString,
      accent_color: listedInteger,
      email: listedString,
      email_verified: listedBoolean,
      email_bounced: listedBoolean,
      phone: listedString,
      date_of_birth: listedString,
      locale: listedString,
      premium_type: listedInteger,
      premium_since: listedString,
      premium_until: listedString,
      suspicious_activity_flags: { type: "integer" },
      temp_banned_until: listedString,
      pending_deletion_at: listedString,
      pending_bulk_message_deletion_at: listedString,
      deletion_reason_code: listedInteger,
      deletion_public_reason: listedString,
      acls: listOf(string),
      traits: listOf(string),
      has_totp: boolean,
      authenticator_types: listOf({ type: "integer" }),
      last_active_at: listedString,
      last_active_ip: listedString,
      last_active_ip_reverse: listedString,
      last_active_location: listedString
    })
  })
}

/** API reference, Update webhook with token. */
export const webhookAnswer = {
  200: all({
    id: string,
    guild_id: string,
    channel_id: string,
    name: string,
    token: string,
    avatar: listedString
  })
}
