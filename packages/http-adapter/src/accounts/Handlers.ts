import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { DaysUntilDeletion } from "@community-messaging/domain/account/DeletionSchedule"
import { DeletionReasonCode } from "@community-messaging/domain/account/User"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { Effect, Option } from "effect"
import { requireAcl } from "../server/Authentication.ts"
import type { Handlers } from "../server/Handlers.ts"
import { Conflict, InvalidFormBody, UnknownUser } from "../wire/ApiError.ts"
import type { AccountsGroup, ScheduleDeletionBody } from "./Api.ts"
import * as User from "./UserResource.ts"

const actorOf = (key: AdminKey): AuditActor => ({ _tag: "AdminKey", credentialId: key.id, name: key.name })

const EMAIL_ALREADY_IN_USE = {
  path: "email",
  message: "is another account's address already",
  code: "EMAIL_ALREADY_IN_USE"
} as const

/** The scheduled deletion in a body. */
export const toDeletion = (body: ScheduleDeletionBody, actor: AuditActor) => ({
  userId: body.user_id,
  reasonCode: DeletionReasonCode.make(body.reason_code),
  publicReason: Option.fromNullable(body.public_reason),
  daysUntilDeletion: Option.map(Option.fromNullable(body.days_until_deletion), (days) => DaysUntilDeletion.make(days)),
  actor
})

/** Handles the administrative operations on accounts. */
export const make: Effect.Effect<Handlers<typeof AccountsGroup>, never, Accounts> = Effect.map(
  Accounts,
  (accounts) => ({
    scheduleDeletion: ({ caller, payload }) =>
      requireAcl(caller, "user:delete").pipe(
        Effect.zipRight(accounts.scheduleDeletion(toDeletion(payload, actorOf(caller)))),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          UnknownUser: () => Effect.fail(new UnknownUser()),
          SystemAccountNotDeletable: () => Effect.fail(new Conflict())
        })
      ),
    changeEmail: ({ caller, payload }) =>
      requireAcl(caller, "user:update:email").pipe(
        Effect.zipRight(
          accounts.changeEmail({ userId: payload.user_id, email: payload.email, actor: actorOf(caller) })
        ),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          UnknownUser: () => Effect.fail(new UnknownUser()),
          EmailAlreadyInUse: () => Effect.fail(new InvalidFormBody({ errors: [EMAIL_ALREADY_IN_USE] }))
        })
      )
  })
)
