import { cancelDeletion, scheduleDeletion } from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { START } from "@community-messaging/domain-contract/world/World"
import * as Token from "@community-messaging/domain/access/Token"
import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import { UserId } from "@community-messaging/domain/account/User"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { describe, expect } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Option, Redacted } from "effect"
import { account } from "../Stored.ts"
import { it } from "../World.ts"
import { application, CALLBACK, CLIENT, codeIn, digestOf, grant } from "./Consenting.ts"

const ANN = UserId.make("2")
const INVALID = { _tag: "InvalidGrant" }

/** The code of a consent that Ann has just granted. */
const newCode = (request: Parameters<typeof grant>[1] = {}) =>
  Effect.gen(function*() {
    yield* account(ANN)
    yield* application({ redirectUris: [CALLBACK] })
    return codeIn((yield* grant(ANN, request)).redirectTo)
  })

const redeem = (code: string, request: { readonly clientId?: ApplicationId; readonly redirectUri?: string } = {}) =>
  Effect.flatMap(Consents, (consents) =>
    consents.redeem({
      clientId: request.clientId ?? CLIENT,
      code: Redacted.make(code),
      redirectUri: Option.fromNullable(request.redirectUri)
    }))

const storedGrant = (accessToken: Redacted.Redacted) =>
  Effect.gen(function*() {
    const consents = yield* ConsentRepository
    return yield* Effect.flatten(consents.findGrant(yield* digestOf(Redacted.value(accessToken))))
  })

/** Lets a day pass, and removes expired codes. Returns their count. */
const sweepCodes = Effect.gen(function*() {
  yield* Time.adjust("1 day")
  return yield* (yield* Consents).removeExpiredCodes(10)
})

describe("redeeming a code", () => {
  it("returns an access token and stores only its digest", function*() {
    const code = yield* newCode({ scope: "identify email" })
    yield* Time.adjust("1 minute")
    const { accessToken, grant: given } = yield* redeem(code)
    expect(Redacted.value(accessToken)).toMatch(/^cmt_/)
    expect(given).toEqual({
      tokenDigest: yield* digestOf(Redacted.value(accessToken)),
      codeDigest: yield* digestOf(code),
      applicationId: CLIENT,
      userId: ANN,
      scopes: ["identify", "email"],
      createdAt: DateTime.addDuration(START, "1 minute"),
      revokedAt: Option.none()
    })
    expect(yield* storedGrant(accessToken)).toEqual(given)
  })

  it("does not work while the deletion of the user's account is scheduled, and works again when it is cancelled", function*() {
    const code = yield* newCode()
    yield* scheduleDeletion(ANN)
    expect(yield* Effect.flip(redeem(code))).toMatchObject(INVALID)
    yield* cancelDeletion(ANN)
    expect((yield* redeem(code)).grant.userId).toBe(ANN)
  })

  it("works before ten minutes have passed", function*() {
    const code = yield* newCode()
    yield* Time.adjust(Duration.subtract(Duration.minutes(10), Duration.millis(1)))
    expect(Exit.isSuccess(yield* Effect.exit(redeem(code)))).toBe(true)
  })

  it("fails when ten minutes have passed", function*() {
    const code = yield* newCode()
    yield* Time.adjust("10 minutes")
    expect(yield* Effect.flip(redeem(code))).toMatchObject(INVALID)
  })

  it.each(
    [
      ["a malformed code", Redacted.make("cmc_")],
      ["a code that was never issued", Token.format("authorizationCode", new Uint8Array(32))]
    ] as const
  )("does not work with %s", function*([, code]) {
    yield* newCode()
    expect(yield* Effect.flip(redeem(Redacted.value(code)))).toMatchObject(INVALID)
  })

  it("fails for another client, and still works for the right one", function*() {
    const code = yield* newCode()
    const other = ApplicationId.make("200")
    yield* application({ id: other })
    expect(yield* Effect.flip(redeem(code, { clientId: other }))).toMatchObject(INVALID)
    expect((yield* redeem(code)).grant.userId).toBe(ANN)
  })

  it("needs the redirect URI of the request, and still works with it after a wrong one", function*() {
    const code = yield* newCode({ redirectUri: Option.some(CALLBACK) })
    expect(yield* Effect.flip(redeem(code, { redirectUri: "https://evil.test" }))).toMatchObject(INVALID)
    expect(yield* Effect.flip(redeem(code))).toMatchObject(INVALID)
    expect((yield* redeem(code, { redirectUri: CALLBACK })).grant.userId).toBe(ANN)
  })
})

describe("an access token", () => {
  const authenticate = (accessToken: Redacted.Redacted) =>
    Effect.flatMap(Consents, (consents) => consents.authenticate(accessToken))

  it("has its grant, and not while the deletion of the user's account is scheduled", function*() {
    const { accessToken, grant: given } = yield* redeem(yield* newCode())
    expect(yield* authenticate(accessToken)).toEqual(given)
    yield* scheduleDeletion(ANN)
    expect(yield* Effect.flip(authenticate(accessToken))).toMatchObject({ _tag: "AccountScheduledForDeletion" })
    yield* cancelDeletion(ANN)
    expect(yield* authenticate(accessToken)).toEqual(given)
  })

  it("does not work after its code was redeemed again, nor after the account was deleted", function*() {
    const code = yield* newCode()
    const first = yield* redeem(code)
    yield* Effect.flip(redeem(code))
    const second = yield* redeem(codeIn((yield* grant(ANN)).redirectTo))
    yield* scheduleDeletion(ANN)
    yield* Time.adjust("60 days")
    yield* Effect.flatMap(DueDeletions, ({ deleteDue }) => deleteDue(10))
    const failures = yield* Effect.forEach([first, second], ({ accessToken }) => Effect.flip(authenticate(accessToken)))
    expect(failures).toMatchObject([{ _tag: "InvalidCredentials" }, { _tag: "InvalidCredentials" }])
  })

  it.each(
    [
      ["is malformed", Redacted.make("cmt_")],
      ["was never issued", Token.format("accessToken", new Uint8Array(32))],
      ["is the token of a bot", Token.format("bot", new Uint8Array(32))]
    ] as const
  )("does not work if it %s", function*([, token]) {
    expect(yield* Effect.flip(authenticate(token))).toMatchObject({ _tag: "InvalidCredentials" })
  })
})

describe("redeeming a code a second time", () => {
  it("fails and revokes the grants of the first time, also after the code has expired", function*() {
    const code = yield* newCode()
    const { accessToken, grant: given } = yield* redeem(code)
    yield* Time.adjust("1 day")
    expect(yield* Effect.flip(redeem(code))).toMatchObject(INVALID)
    expect(yield* storedGrant(accessToken)).toEqual({
      ...given,
      revokedAt: Option.some(DateTime.addDuration(START, "1 day"))
    })
  })

  it("revokes the grants also after the expired code was removed", function*() {
    const code = yield* newCode()
    const { accessToken } = yield* redeem(code)
    expect(yield* sweepCodes).toBe(1)
    expect(yield* Effect.flip(redeem(code))).toMatchObject(INVALID)
    expect(Option.isSome((yield* storedGrant(accessToken)).revokedAt)).toBe(true)
  })

  it("revokes the grants also if the redirect URI is wrong: the code was stolen", function*() {
    const code = yield* newCode()
    const { accessToken } = yield* redeem(code)
    expect(yield* Effect.flip(redeem(code, { redirectUri: "https://evil.test" }))).toMatchObject(INVALID)
    expect(Option.isSome((yield* storedGrant(accessToken)).revokedAt)).toBe(true)
  })

  it("by another client revokes nothing", function*() {
    const code = yield* newCode()
    const other = ApplicationId.make("200")
    yield* application({ id: other })
    const { accessToken, grant: given } = yield* redeem(code)
    expect(yield* Effect.flip(redeem(code, { clientId: other }))).toMatchObject(INVALID)
    expect(yield* storedGrant(accessToken)).toEqual(given)
  })
})
