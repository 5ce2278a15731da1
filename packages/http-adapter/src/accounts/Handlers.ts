import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { Effect } from "effect"
import { requireAcl } from "../server/Authentication.ts"
import type { Handlers } from "../server/Handlers.ts"
import { Conflict, InvalidFormBody, UnknownUser } from "../wire/ApiError.ts"
import { type AccountsGroup, EMAIL_ALREADY_IN_USE } from "./Api.ts"
import * as User from "./UserResource.ts"

const actorOf = (key: AdminKey): AuditActor => ({ _tag: "AdminKey", credentialId: key.id, name: key.name })

/** Handles the administrative operations on accounts. */
export const make: Effect.Effect<Handlers<typeof AccountsGroup>, never, Accounts> = Effect.map(
  Accounts,
  (accounts) => ({
    scheduleDeletion: ({ caller, payload }) =>
      requireAcl(caller, "user:delete").pipe(
        Effect.zipRight(accounts.scheduleDeletion({ ...payload, actor: actorOf(caller) })),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          UnknownUser: () => Effect.fail(new UnknownUser()),
          SystemAccountNotDeletable: () => Effect.fail(new Conflict())
        })
      ),
    changeEmail: ({ caller, payload }) =>
      requireAcl(caller, "user:update:email").pipe(
        Effect.zipRight(accounts.changeEmail({ ...payload, actor: actorOf(caller) })),
        Effect.map((user) => ({ user: User.fromEntity(user) })),
        Effect.catchTags({
          UnknownUser: () => Effect.fail(new UnknownUser()),
          EmailAlreadyInUse: () => Effect.fail(new InvalidFormBody({ errors: [EMAIL_ALREADY_IN_USE] }))
        })
      )
  })
)
