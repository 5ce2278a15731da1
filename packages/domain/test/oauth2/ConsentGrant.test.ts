import { scheduleDeletion } from "@community-messaging/domain-contract/world/Scene"
import { START } from "@community-messaging/domain-contract/world/World"
import { UserId } from "@community-messaging/domain/account/User"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { account, events } from "../Stored.ts"
import { it } from "../World.ts"
import { application, CALLBACK, CLIENT, codeIn, digestOf, grant } from "./Consenting.ts"

const ANN = UserId.make("2")

const consent = Effect.flatMap(ConsentRepository, (consents) => consents.find(ANN, CLIENT))

describe("granting consent", () => {
  it("stores what the user allowed and the digest of a code for ten minutes, and redirects with the code", function*() {
    yield* account(ANN)
    yield* application()
    const { redirectTo } = yield* grant(ANN, {
      scope: "guilds identify",
      redirectUri: Option.some(CALLBACK),
      state: Option.some("a b")
    })
    expect(redirectTo).toMatch(/^https:\/\/app\.test\/callback\?code=cmc_[\w-]{49}&state=a\+b$/)
    const granted = { userId: ANN, applicationId: CLIENT, scopes: ["identify", "guilds"] }
    expect(yield* consent).toEqual(Option.some({
      ...granted,
      permissions: 0n,
      guildId: Option.none(),
      grantedAt: START
    }))
    const digest = yield* digestOf(codeIn(redirectTo))
    expect(yield* Effect.flatMap(ConsentRepository, (consents) => consents.findCode(digest))).toEqual(Option.some({
      ...granted,
      digest,
      redirectUri: Option.some(CALLBACK),
      expiresAt: DateTime.addDuration(START, "10 minutes"),
      redeemedAt: Option.none()
    }))
    expect(yield* events).toEqual([
      { ...granted, _tag: "consent.granted", version: 1, guildId: Option.none(), permissions: Option.none() }
    ])
  })

  it("is refused if the deletion of the account was scheduled after its token was checked", function*() {
    yield* account(ANN)
    yield* application()
    yield* scheduleDeletion(ANN)
    expect(yield* Effect.flip(grant(ANN))).toMatchObject({ _tag: "AccountScheduledForDeletion", userId: ANN })
    expect(yield* consent).toEqual(Option.none())
  })

  it("redirects the user to the service's own page if the application has none", function*() {
    yield* account(ANN)
    yield* application({ redirectUris: [] })
    const { redirectTo } = yield* grant(ANN, { scope: "bot" }, Option.some("https://chat.test/authorised"))
    expect(redirectTo).toMatch(/^https:\/\/chat\.test\/authorised\?code=/)
  })

  it("fails for an application that is not registered", function*() {
    yield* account(ANN)
    const clientId = ApplicationId.make("404")
    expect(yield* Effect.flip(grant(ANN, { clientId }))).toMatchObject({ _tag: "InvalidClient", clientId })
  })
})
