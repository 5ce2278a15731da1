import { Authentication } from "@community-messaging/domain/access/Authentication"
import { Effect, Layer, Option, type Redacted } from "effect"
import { available, Deadline } from "../Deadline.ts"
import { AccountScheduledForDeletion, Unauthorized } from "../definition/ApiError.ts"
import { BotCredentials } from "../definition/Credentials.ts"
import * as ResponseHeaders from "../ResponseHeaders.ts"
import * as Admission from "./Admission.ts"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"

/** Finds the bot account of `Authorization: Bot <BOT_TOKEN>` and counts its requests. */
export const layer = Layer.effect(
  BotCredentials,
  Effect.gen(function*() {
    const admission = yield* Admission.make
    const authentication = yield* Authentication
    const deadline = yield* Deadline

    const unauthorized = Effect.zipRight(
      ResponseHeaders.add({ "www-authenticate": "Bot" }),
      Effect.fail(new Unauthorized())
    )

    const authenticate = (header: Redacted.Redacted) =>
      Option.match(AuthorizationHeader.token(header, "Bot"), {
        onNone: () => unauthorized,
        onSome: (token) =>
          available(authentication.bot(token), deadline).pipe(
            Effect.catchTags({
              InvalidCredentials: () => unauthorized,
              // Whoever is known is counted, whatever the answer.
              AccountScheduledForDeletion: ({ userId }) =>
                Effect.zipRight(admission.admit(`user:${userId}`), Effect.fail(new AccountScheduledForDeletion()))
            })
          )
      })

    return {
      BotToken: (header) =>
        admission.authenticate(authenticate(header), (error) => error instanceof Unauthorized).pipe(
          Effect.tap((user) => admission.admit(`user:${user.id}`))
        )
    }
  })
)
