import { requireAccess } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { DaysUntilDeletion } from "@community-messaging/domain/account/AccountDeletion"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { DeletionReasonCode } from "@community-messaging/domain/account/User"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { Effect, Option } from "effect"
import { available, Deadline } from "../Deadline.ts"
import type { ChangeEmailBody, ScheduleDeletionBody } from "../definition/AdministrationGroup.ts"
import { CallingAdminKey } from "../definition/Credentials.ts"
import * as User from "../definition/UserResource.ts"
import * as Refusal from "./Refusal.ts"
import type { Unhandled } from "./Unhandled.ts"

const actorOf = (key: AdminKey): AuditActor => ({ _tag: "AdminKey", credentialId: key.id, name: key.name })

/** Endpoints 4 and 5. */
export const make = Effect.gen(function*() {
  const accounts = yield* Accounts
  const deadline = yield* Deadline
  return {
    scheduleDeletion: (key: AdminKey, body: ScheduleDeletionBody) =>
      requireAccess(key, "user:delete").pipe(
        Effect.zipRight(accounts.scheduleDeletion({
          userId: body.user_id,
          reasonCode: DeletionReasonCode.make(body.reason_code),
          publicReason: Option.fromNullable(body.public_reason),
          daysUntilDeletion: Option.map(
            Option.fromNullable(body.days_until_deletion),
            (days) => DaysUntilDeletion.make(days)
          ),
          actor: actorOf(key)
        })),
        (scheduled) => available(scheduled, deadline),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          MissingAccessControl: Refusal.missingAcl,
          UnknownUser: Refusal.unknownUser,
          SystemAccountNotDeletable: Refusal.conflict
        })
      ),
    changeEmail: (key: AdminKey, body: ChangeEmailBody) =>
      requireAccess(key, "user:update:email").pipe(
        Effect.zipRight(accounts.changeEmail({ userId: body.user_id, email: body.email, actor: actorOf(key) })),
        (changed) => available(changed, deadline),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          MissingAccessControl: Refusal.missingAcl,
          UnknownUser: Refusal.unknownUser,
          EmailAlreadyInUse: () =>
            Refusal.invalid({
              path: "email",
              message: "is another account's address already",
              code: "EMAIL_ALREADY_IN_USE"
            })
        })
      )
  }
})

/** Answers the administrative operations. */
export const build = (handlers: Unhandled<"administration">) =>
  Effect.map(make, ({ changeEmail, scheduleDeletion }) =>
    handlers
      .handle(
        "scheduleDeletion",
        ({ payload }) => Effect.flatMap(CallingAdminKey, (key) => scheduleDeletion(key, payload))
      )
      .handle("changeEmail", ({ payload }) => Effect.flatMap(CallingAdminKey, (key) => changeEmail(key, payload))))
