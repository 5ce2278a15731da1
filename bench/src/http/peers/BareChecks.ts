import { isSnowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import type {
  ChangeEmailBody,
  CodeHostBody,
  ConsentBody,
  ErrorTrackerBody,
  MemberSearchBody,
  ScheduleDeletionBody,
  UpdateWebhookBody
} from "../service/Bodies.ts"
import { hasAtMost, INT32, INT64, isAvatar, isEmail, isPermissions, isWebhookName } from "../service/Rules.ts"

/*
 * Whether bodies are what the operations take, written by hand: no library, no second pass, nothing allocated.
 */

type Check = (value: unknown) => boolean
type Fields = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isString = (value: unknown): boolean => typeof value === "string"
const isBoolean = (value: unknown): boolean => typeof value === "boolean"
const isIntegerWithin =
  ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }): Check => (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum
const isInt32 = isIntegerWithin(INT32)
const isInt64 = isIntegerWithin(INT64)
const isIntegerOrString = (value: unknown): boolean => typeof value === "string" || isInt64(value)
const isTextOfAtMost = (maximum: number): Check => (value) => typeof value === "string" && hasAtMost(maximum, value)
const isListOfAtMost = (maximum: number, item: Check): Check => (value) =>
  Array.isArray(value) && value.length <= maximum && value.every(item)
const isAnyList = (item: Check): Check => (value) => Array.isArray(value) && value.every(item)
/** Left out, or of the kind. */
const optional = (check: Check): Check => (value) => value === undefined || check(value)
/** Left out, null, or of the kind. */
const listed = (check: Check): Check => (value) => value === undefined || value === null || check(value)

const isQuery = optional(isTextOfAtMost(100))
const isLimit = optional(isIntegerWithin({ minimum: 1, maximum: 100 }))
const isOffset = optional(isIntegerWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const areTexts = optional(isListOfAtMost(10, isString))
const areSources = optional(isListOfAtMost(10, isInt32))
const isUnixTime = optional(isInt64)
const isFlag = optional(isBoolean)

/** API reference, Search guild members. */
export const isMemberSearch = (body: unknown): body is MemberSearchBody =>
  isObject(body) &&
  isQuery(body["query"]) &&
  isLimit(body["limit"]) &&
  isOffset(body["offset"]) &&
  areTexts(body["role_ids"]) &&
  isUnixTime(body["joined_at_gte"]) &&
  isUnixTime(body["joined_at_lte"]) &&
  areSources(body["join_source_type"]) &&
  areTexts(body["source_invite_code"]) &&
  isFlag(body["is_bot"]) &&
  isUnixTime(body["user_created_at_gte"]) &&
  isUnixTime(body["user_created_at_lte"]) &&
  (body["sort_by"] === undefined || body["sort_by"] === "joinedAt" || body["sort_by"] === "relevance") &&
  (body["sort_order"] === undefined || body["sort_order"] === "asc" || body["sort_order"] === "desc")

const isText = optional(isString)
const isState = optional(isTextOfAtMost(1024))
const isPermissionText = optional((value) => typeof value === "string" && isPermissions(value))
const isOptionalSnowflake = optional(isSnowflake)

/** API reference, Grant OAuth2 consent. */
export const isConsent = (body: unknown): body is ConsentBody =>
  isObject(body) &&
  isSnowflake(body["client_id"]) &&
  isString(body["scope"]) &&
  isText(body["response_type"]) &&
  isText(body["redirect_uri"]) &&
  isState(body["state"]) &&
  isPermissionText(body["permissions"]) &&
  isOptionalSnowflake(body["guild_id"])

const isReasonCode = isIntegerWithin({ minimum: 0, maximum: 2_147_483_647 })
const isPublicReason = optional(isTextOfAtMost(512))
const areDays = optional(isIntegerWithin({ minimum: 1, maximum: 365 }))

/** API reference, Schedule account deletion. */
export const isScheduleDeletion = (body: unknown): body is ScheduleDeletionBody =>
  isObject(body) &&
  isSnowflake(body["user_id"]) &&
  isReasonCode(body["reason_code"]) &&
  isPublicReason(body["public_reason"]) &&
  areDays(body["days_until_deletion"])

/** API reference, Change user email. */
export const isChangeEmail = (body: unknown): body is ChangeEmailBody =>
  isObject(body) && isSnowflake(body["user_id"]) && typeof body["email"] === "string" && isEmail(body["email"])

/** API reference, Update webhook with token. */
export const isUpdateWebhook = (body: unknown): body is UpdateWebhookBody =>
  isObject(body) &&
  (body["name"] === undefined || (typeof body["name"] === "string" && isWebhookName(body["name"]))) &&
  (body["avatar"] === undefined || body["avatar"] === null || isAvatar(body["avatar"]))

const isListedText = listed(isString)
const isListedInteger = listed(isInt64)
const isListedId = listed(isIntegerOrString)

const isActor = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["login"]) &&
  isListedText(value["html_url"]) &&
  isListedText(value["avatar_url"])
)

const isCommitAuthor = listed((value) =>
  isObject(value) && isListedText(value["name"]) && isListedText(value["username"])
)

const isCommit = (value: unknown): boolean =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["url"]) &&
  isListedText(value["message"]) &&
  isCommitAuthor(value["author"])

const isComment = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["html_url"]) &&
  isActor(value["user"]) &&
  isListedText(value["body"]) &&
  isListedText(value["commit_id"])
)

const arePullRequests = listed(isAnyList((value) => isObject(value) && isListedInteger(value["number"])))
const isApp = listed((value) => isObject(value) && isListedText(value["name"]))

const isCheckSuite = listed((value) =>
  isObject(value) &&
  isListedText(value["head_sha"]) &&
  isApp(value["app"]) &&
  isListedText(value["conclusion"]) &&
  isListedText(value["head_branch"]) &&
  arePullRequests(value["pull_requests"])
)

const isOutput = listed((value) => isObject(value) && isListedText(value["title"]) && isListedText(value["summary"]))

const isCheckRun = listed((value) =>
  isObject(value) &&
  isListedText(value["name"]) &&
  isListedText(value["html_url"]) &&
  isCheckSuite(value["check_suite"]) &&
  isListedText(value["conclusion"]) &&
  isListedText(value["details_url"]) &&
  isOutput(value["output"]) &&
  arePullRequests(value["pull_requests"])
)

const isSubject = (value: unknown): value is Fields =>
  isObject(value) &&
  isListedInteger(value["number"]) &&
  isListedText(value["html_url"]) &&
  isActor(value["user"]) &&
  isListedText(value["title"]) &&
  isListedText(value["body"])

const isIssue = listed((value) => isSubject(value) && isListedId(value["id"]))
const isDiscussion = listed((value) => isSubject(value) && isListedText(value["answer_html_url"]))

const isRelease = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["tag_name"]) &&
  isListedText(value["html_url"]) &&
  isListedText(value["body"])
)

const isRepository = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["html_url"]) &&
  isListedText(value["name"]) &&
  isListedText(value["full_name"])
)

const isReview = listed((value) =>
  isObject(value) &&
  isActor(value["user"]) &&
  isListedText(value["html_url"]) &&
  isListedText(value["state"]) &&
  isListedText(value["body"])
)

const isSender = (value: unknown): boolean => isActor(value) && isObject(value) && isString(value["login"])

const isListedCommit = listed(isCommit)
const areCommits = listed(isAnyList(isCommit))
const isListedFlag = listed(isBoolean)

/** API reference, Execute code-hosting webhook. */
export const isCodeHost = (body: unknown): body is CodeHostBody =>
  isObject(body) &&
  isSender(body["sender"]) &&
  isListedText(body["action"]) &&
  isComment(body["answer"]) &&
  isCheckRun(body["check_run"]) &&
  isCheckSuite(body["check_suite"]) &&
  isComment(body["comment"]) &&
  areCommits(body["commits"]) &&
  isListedText(body["compare"]) &&
  isDiscussion(body["discussion"]) &&
  isListedFlag(body["forced"]) &&
  isRepository(body["forkee"]) &&
  isListedCommit(body["head_commit"]) &&
  isIssue(body["issue"]) &&
  isActor(body["member"]) &&
  isIssue(body["pull_request"]) &&
  isListedText(body["ref_type"]) &&
  isListedText(body["ref"]) &&
  isRelease(body["release"]) &&
  isRepository(body["repository"]) &&
  isReview(body["review"])

const isInstallation = listed((value) => isObject(value) && isListedText(value["uuid"]))

const isProject = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["name"]) &&
  isListedText(value["slug"]) &&
  isListedText(value["platform"])
)

const isMetadata = listed((value) => isObject(value) && isListedText(value["value"]) && isListedText(value["type"]))

const isTrackerIssue = listed((value) =>
  isObject(value) &&
  isListedId(value["id"]) &&
  isListedText(value["shortId"]) &&
  isListedText(value["title"]) &&
  isListedText(value["permalink"]) &&
  isListedText(value["level"]) &&
  isListedText(value["status"]) &&
  isListedText(value["platform"]) &&
  isProject(value["project"]) &&
  isListedText(value["type"]) &&
  isMetadata(value["metadata"]) &&
  isListedId(value["count"]) &&
  isListedId(value["userCount"]) &&
  isListedText(value["firstSeen"]) &&
  isListedText(value["lastSeen"]) &&
  isListedText(value["culprit"])
)

const isData = listed((value) => isObject(value) && isTrackerIssue(value["issue"]))

const isTrackerActor = listed((value) =>
  isObject(value) && isListedText(value["type"]) && isListedId(value["id"]) && isListedText(value["name"])
)

/** API reference, Execute error-tracking webhook. */
export const isErrorTracker = (body: unknown): body is ErrorTrackerBody =>
  isObject(body) &&
  isListedText(body["action"]) &&
  isInstallation(body["installation"]) &&
  isData(body["data"]) &&
  isTrackerActor(body["actor"])
