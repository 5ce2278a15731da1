import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Token from "@community-messaging/domain/access/Token"
import type { UserId } from "@community-messaging/domain/account/User"
import { Application, ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import type { ConsentRequest } from "@community-messaging/domain/oauth2/ConsentRequest"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { Effect, Option } from "effect"

/** The application of these tests. */
export const CLIENT = ApplicationId.make("100")

/** Its redirect URI, by default. */
export const CALLBACK = "https://app.test/callback"

/** Saves the application. */
export const application = (fields: Partial<Application> = {}) =>
  Effect.gen(function*() {
    const made: Application = {
      ...Application.make({ id: CLIENT, name: "Planner", redirectUris: [CALLBACK] }),
      ...fields
    }
    yield* Effect.flatMap(ApplicationRepository, (applications) => applications.save(made))
    return made
  })

/** Grants the application consent: by default, to identify the user. */
export const grant = (
  userId: UserId,
  request: Partial<ConsentRequest> = {},
  authorisedPage: Option.Option<string> = Option.none()
) =>
  Effect.flatMap(
    Consents,
    (consents) => consents.grant(userId, Samples.consentRequest(CLIENT, request), authorisedPage)
  )

/** The code that the application finds in the URL. */
export const codeIn = (redirectTo: string): string => new URL(redirectTo).searchParams.get("code") ?? ""

/** The digest with which a token is stored. */
export const digestOf = (token: string) =>
  Effect.map(Digest, ({ sha256Hex }) => Token.TokenDigest.make(sha256Hex(token)))
