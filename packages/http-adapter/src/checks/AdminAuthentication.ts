import { Authentication } from "@community-messaging/domain/access/Authentication"
import { Effect, Layer, Option, type Redacted } from "effect"
import { available, Deadline } from "../Deadline.ts"
import { Unauthorized } from "../definition/ApiError.ts"
import { AdminCredentials } from "../definition/Credentials.ts"
import * as ResponseHeaders from "../ResponseHeaders.ts"
import * as Admission from "./Admission.ts"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"

/** Finds the admin key of `Authorization: Admin <ADMIN_TOKEN>` and counts its requests. */
export const layer = Layer.effect(
  AdminCredentials,
  Effect.gen(function*() {
    const admission = yield* Admission.make
    const authentication = yield* Authentication
    const deadline = yield* Deadline

    const unauthorized = Effect.zipRight(
      ResponseHeaders.add({ "www-authenticate": "Admin" }),
      Effect.fail(new Unauthorized())
    )

    const authenticate = (header: Redacted.Redacted) =>
      Option.match(AuthorizationHeader.token(header, "Admin"), {
        onNone: () => unauthorized,
        onSome: (token) =>
          Effect.catchTag(available(authentication.admin(token), deadline), "InvalidCredentials", () => unauthorized)
      })

    return {
      AdminKey: (header) =>
        admission.authenticate(authenticate(header), (error) => error instanceof Unauthorized).pipe(
          Effect.tap((key) => admission.admit(`admin:${key.id}`))
        )
    }
  })
)
