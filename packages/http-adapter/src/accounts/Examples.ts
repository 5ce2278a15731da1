import { DaysUntilDeletion, schedule } from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { create, DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import { DateTime, Either, Option, type Schema } from "effect"
import type { Example } from "../wire/Example.ts"
import { type ChangeEmailBody, EMAIL_ALREADY_IN_USE, type ScheduleDeletionBody } from "./Api.ts"
import { fromEntity } from "./UserResource.ts"

const account = create({
  id: UserId.make("406135920647996647"),
  username: "jokull.thorsson",
  globalName: "Jökull Þórsson",
  email: EmailAddress.make("jokull@example.com")
})

const REASON = "At their own wish"

const scheduled = schedule(
  account,
  {
    reasonCode: DeletionReasonCode.make(1),
    publicReason: Option.some(REASON),
    daysUntilDeletion: DaysUntilDeletion.make(14)
  },
  DateTime.unsafeMake("2026-11-22T06:38:01.553Z")
)

const deletion: Schema.Schema.Encoded<typeof ScheduleDeletionBody> = {
  user_id: account.id,
  reason_code: 1,
  public_reason: REASON,
  days_until_deletion: 14
}

const change: Schema.Schema.Encoded<typeof ChangeEmailBody> = { user_id: account.id, email: "jokull@example.com" }

/** The examples of the administrative operations. */
export const administration = {
  scheduleAccountDeletion: {
    request: deletion,
    response: { user: fromEntity(Either.getOrThrow(scheduled)) },
    violations: [{ path: "days_until_deletion", message: "must be 1 to 365", code: "NUMBER_OUT_OF_RANGE" }]
  },
  changeUserEmail: {
    request: change,
    response: { user: fromEntity(account) },
    violations: [EMAIL_ALREADY_IN_USE]
  }
} satisfies Record<string, Example>
