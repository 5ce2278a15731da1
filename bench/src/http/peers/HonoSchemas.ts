import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { isSnowflake } from "@community-messaging/domain/Snowflake"
import { z } from "zod"
import { hasAtMost, INT32, INT64, isAvatar, isEmail, isPermissions, isWebhookName } from "../service/Rules.ts"

/*
 * Schemas of bodies, as a user of zod writes them.
 */

const snowflake = z.string().refine(isSnowflake)
const integer = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }) =>
  z.number().refine((value) => Number.isInteger(value) && value >= minimum && value <= maximum)
const int32 = integer(INT32)
const int64 = integer(INT64)
// zod counts UTF-16 units, the service code points.
const textOfAtMost = (maximum: number) => z.string().refine((text) => hasAtMost(maximum, text))
const texts = z.array(z.string()).max(10)

/** Endpoint 1. */
export const consentBody = z.object({
  client_id: snowflake,
  scope: z.string(),
  response_type: z.string().exactOptional(),
  redirect_uri: z.string().exactOptional(),
  state: textOfAtMost(1024).exactOptional(),
  permissions: z.string().refine(isPermissions).exactOptional(),
  guild_id: snowflake.exactOptional()
})

/** Endpoint 2. */
export const statuses = z.array(z.enum(ScheduledMessageStatus.literals))

/** Endpoint 3. */
export const memberSearchBody = z.object({
  query: textOfAtMost(100).exactOptional(),
  limit: integer({ minimum: 1, maximum: 100 }).exactOptional(),
  offset: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }).exactOptional(),
  role_ids: texts.exactOptional(),
  joined_at_gte: int64.exactOptional(),
  joined_at_lte: int64.exactOptional(),
  join_source_type: z.array(int32).max(10).exactOptional(),
  source_invite_code: texts.exactOptional(),
  is_bot: z.boolean().exactOptional(),
  user_created_at_gte: int64.exactOptional(),
  user_created_at_lte: int64.exactOptional(),
  sort_by: z.enum(["joinedAt", "relevance"]).exactOptional(),
  sort_order: z.enum(["asc", "desc"]).exactOptional()
})

/** Endpoint 4. */
export const scheduleDeletionBody = z.object({
  user_id: snowflake,
  reason_code: integer({ minimum: 0, maximum: 2_147_483_647 }),
  public_reason: textOfAtMost(512).exactOptional(),
  days_until_deletion: integer({ minimum: 1, maximum: 365 }).exactOptional()
})

/** Endpoint 5. */
export const changeEmailBody = z.object({ user_id: snowflake, email: z.string().refine(isEmail) })

/** Endpoint 8. */
export const updateWebhookBody = z.object({
  name: z.string().refine(isWebhookName).exactOptional(),
  avatar: z.string().refine((text) => isAvatar(text)).nullable().exactOptional()
})

const text = z.string().nullish()
const unlisted = z.unknown().optional()
const idText = z.union([z.string(), int64])
const id = idText.nullish()
const number = int64.nullish()

const actor = z.object({ id, login: text, html_url: text, avatar_url: text })
const commit = z.object({
  id,
  url: text,
  message: text,
  author: z.object({ name: text, username: text }).nullish()
})
const comment = z.object({
  id,
  html_url: text,
  user: actor.nullish(),
  body: text,
  commit_id: text,
  path: unlisted
})
const pullRequests = z.array(z.object({ number })).nullish()
const checkSuite = z.object({
  head_sha: text,
  app: z.object({ name: text }).nullish(),
  conclusion: text,
  head_branch: text,
  pull_requests: pullRequests
})
const checkRun = z.object({
  name: text,
  html_url: text,
  check_suite: checkSuite.nullish(),
  conclusion: text,
  details_url: text,
  output: z.object({ title: text, summary: text }).nullish(),
  pull_requests: pullRequests
})
const subject = { number, html_url: text, user: actor.nullish(), title: text, body: text }
const repository = z.object({ id, html_url: text, name: text, full_name: text })

/** Endpoint 6. */
export const codeHostBody = z.object({
  sender: z.object({ id: idText, login: z.string(), html_url: text, avatar_url: text }),
  action: text,
  answer: comment.nullish(),
  check_run: checkRun.nullish(),
  check_suite: checkSuite.nullish(),
  comment: comment.nullish(),
  commits: z.array(commit).nullish(),
  compare: text,
  discussion: z.object({ ...subject, answer_html_url: text, category: unlisted }).nullish(),
  forced: z.boolean().nullish(),
  forkee: repository.nullish(),
  head_commit: commit.nullish(),
  issue: z.object({ ...subject, id, state_reason: unlisted, pull_request: unlisted }).nullish(),
  member: actor.nullish(),
  pull_request: z.object({ ...subject, id, merged: unlisted, draft: unlisted }).nullish(),
  ref_type: text,
  ref: text,
  release: z.object({
    id,
    tag_name: text,
    html_url: text,
    body: text,
    name: unlisted,
    prerelease: unlisted
  }).nullish(),
  repository: repository.nullish(),
  review: z.object({ user: actor.nullish(), html_url: text, state: text, body: text }).nullish(),
  before: unlisted,
  after: unlisted,
  created: unlisted,
  deleted: unlisted,
  master_branch: unlisted
})

/** Endpoint 7. */
export const errorTrackerBody = z.object({
  action: text,
  installation: z.object({ uuid: text }).nullish(),
  data: z.object({
    issue: z.object({
      id,
      shortId: text,
      title: text,
      permalink: text,
      level: text,
      status: text,
      platform: text,
      project: z.object({ id, name: text, slug: text, platform: text }).nullish(),
      type: text,
      metadata: z.object({ value: text, type: text }).nullish(),
      count: id,
      userCount: id,
      firstSeen: text,
      lastSeen: text,
      culprit: text,
      web_url: unlisted,
      substatus: unlisted,
      assignedTo: unlisted
    }).nullish()
  }).nullish(),
  actor: z.object({ type: text, id, name: text }).nullish()
})
