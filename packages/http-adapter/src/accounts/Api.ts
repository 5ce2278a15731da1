import {
  DAYS_UNTIL_DELETION,
  DaysUntilDeletion,
  DEFAULT_DAYS_UNTIL_DELETION
} from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import {
  DELETION_REASON_CODES,
  DeletionReasonCode,
  PublicReason,
  UserId
} from "@community-messaging/domain/account/User"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Conflict, MissingAcl, UnknownUser } from "../wire/ApiError.ts"
import { AdminCredentials } from "../wire/Credentials.ts"
import { InvalidBody, KIBIBYTE } from "../wire/RequestBody.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import type { Violation } from "../wire/Violation.ts"
import { field, named, optionField, snowflake } from "../wire/WireType.ts"
import { UserResource } from "./UserResource.ts"

/** The maximum size of a request to schedule a deletion in bytes: a reason of 512 characters, all of them escaped. */
const SCHEDULE_DELETION_BODY_LIMIT = 8 * KIBIBYTE

/** The maximum size of a change of e-mail in bytes: an address of 254 characters, all of them escaped. */
const CHANGE_EMAIL_BODY_LIMIT = 4 * KIBIBYTE

/**
 * A request to schedule the deletion of an account. Source: API reference, Schedule account deletion; API gaps,
 * Deletion of an account.
 */
export const ScheduleDeletionBody = Schema.Struct({
  userId: named(snowflake(UserId), "The account to delete.", "user_id"),
  reasonCode: named(
    Schema.compose(integer("int32", DELETION_REASON_CODES), DeletionReasonCode),
    "Code indicating the reason for deletion.",
    "reason_code"
  ),
  publicReason: optionField(PublicReason, "Public-facing reason.", "public_reason"),
  daysUntilDeletion: optionField(
    Schema.compose(integer("int32", DAYS_UNTIL_DELETION), DaysUntilDeletion),
    `Days until the account is deleted; ${DEFAULT_DAYS_UNTIL_DELETION} unless the operator sets another default.`,
    "days_until_deletion"
  )
}).annotations({ identifier: "ScheduleDeletion", description: "The account to delete, the reason and the time." })

/**
 * A request to change the e-mail address of an account. Source: API reference, Change user email; API gaps, Change of
 * e-mail.
 */
export const ChangeEmailBody = Schema.Struct({
  userId: named(snowflake(UserId), "The account.", "user_id"),
  email: named(
    // No format: `email` excludes other scripts, and validators do not know `idn-email`.
    Schema.compose(Schema.Trim, EmailAddress).annotations({ jsonSchema: { type: "string" } }),
    "The new address: at most 254 characters, at most 64 of them before the @; white space around it is ignored.",
    "email"
  )
}).annotations({ identifier: "ChangeEmail", description: "The account and its new e-mail address." })

/** The e-mail address belongs to another account. */
export const EMAIL_ALREADY_IN_USE: Violation = {
  path: "email",
  message: "is another account's address already",
  code: "EMAIL_ALREADY_IN_USE"
}

/** The account after the operation. */
export const UserResult = Schema.Struct({ user: field(UserResource, "The account.") }).annotations({
  identifier: "UserResult",
  description: "The account after the operation."
})

/** The administrative operations on accounts. */
export const AccountsGroup = HttpApiGroup.make("administration")
  .add(
    HttpApiEndpoint.post("scheduleDeletion", "/admin/users/schedule-deletion")
      .setPayload(ScheduleDeletionBody)
      .addSuccess(UserResult)
      .addError(MissingAcl)
      .addError(UnknownUser)
      .addError(Conflict)
      .annotate(RequestRules, { bucket: "administration", bodyLimit: SCHEDULE_DELETION_BODY_LIMIT })
      .annotate(OpenApi.Identifier, "scheduleAccountDeletion")
      .annotate(OpenApi.Summary, "Schedule account deletion")
      .annotate(
        OpenApi.Description,
        "Schedules the deletion of an account, or replaces a scheduled one. Its tokens stop working immediately. Requires the acl `user:delete`."
      )
  )
  .add(
    HttpApiEndpoint.post("changeEmail", "/admin/users/change-email")
      .setPayload(ChangeEmailBody)
      .addSuccess(UserResult)
      .addError(MissingAcl)
      .addError(UnknownUser)
      .annotate(RequestRules, { bucket: "administration", bodyLimit: CHANGE_EMAIL_BODY_LIMIT, isIdempotent: true })
      .annotate(OpenApi.Identifier, "changeUserEmail")
      .annotate(OpenApi.Summary, "Change user email")
      .annotate(
        OpenApi.Description,
        "Changes the e-mail address of an account. The new one is neither verified nor bounced. Requires the acl `user:update:email`."
      )
  )
  .addError(InvalidBody)
  .middleware(AdminCredentials)
  .annotate(OpenApi.Title, "Administration")
  .annotate(OpenApi.Description, "Operations on accounts, for administrators with an admin key.")
