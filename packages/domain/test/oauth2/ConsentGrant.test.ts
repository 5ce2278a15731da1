import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { scheduleDeletion } from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { account, events, guild } from "../Stored.ts"
import { inWorld } from "../World.ts"
import { application, CALLBACK, CLIENT, codeIn, digestOf, grant } from "./Consenting.ts"

const ANN = UserId.make("2")
const GUILD = GuildId.make("1000")

const consent = Effect.flatMap(ConsentRepository, (consents) => consents.find(ANN, CLIENT))

describe("granting consent", () => {
  it.effect("redirects the user to the application with a code and the state", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      const { redirectTo } = yield* grant(ANN, { state: Option.some("a b") })
      expect(redirectTo).toMatch(/^https:\/\/app\.test\/callback\?code=cmc_[\w-]{49}&state=a\+b$/)
    }).pipe(inWorld))

  it.effect("stores what the user allowed", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      yield* grant(ANN, { scope: "guilds identify" })
      expect(yield* consent).toEqual(Option.some({
        userId: ANN,
        applicationId: CLIENT,
        scopes: ["identify", "guilds"],
        permissions: 0n,
        guildId: Option.none(),
        grantedAt: START
      }))
    }).pipe(inWorld))

  it.effect("stores only the digest of the code, bound to user, client and redirect URI, for ten minutes", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      const { redirectTo } = yield* grant(ANN, { redirectUri: Option.some(CALLBACK) })
      const digest = yield* digestOf(codeIn(redirectTo))
      const stored = yield* Effect.flatMap(ConsentRepository, (consents) => consents.findCode(digest))
      expect(stored).toEqual(Option.some({
        digest,
        applicationId: CLIENT,
        userId: ANN,
        redirectUri: Option.some(CALLBACK),
        scopes: ["identify"],
        expiresAt: DateTime.addDuration(START, "10 minutes"),
        redeemedAt: Option.none()
      }))
    }).pipe(inWorld))

  it.effect("appends an event", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      yield* grant(ANN)
      expect(yield* events).toEqual([{
        _tag: "consent.granted",
        version: 1,
        userId: ANN,
        applicationId: CLIENT,
        scopes: ["identify"],
        guildId: Option.none(),
        permissions: Option.none()
      }])
    }).pipe(inWorld))

  it.effect("is refused if the deletion of the account was scheduled after its token was checked", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      yield* scheduleDeletion(ANN)
      expect(yield* Effect.flip(grant(ANN))).toMatchObject({ _tag: "AccountScheduledForDeletion", userId: ANN })
      expect(yield* consent).toEqual(Option.none())
    }).pipe(inWorld))

  it.effect("again replaces the consent and returns another code", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      const first = yield* grant(ANN, { scope: "identify email" })
      yield* Time.adjust("1 hour")
      const second = yield* grant(ANN, { scope: "guilds" })
      expect(Option.getOrUndefined(yield* consent)).toMatchObject({
        scopes: ["guilds"],
        grantedAt: DateTime.addDuration(START, "1 hour")
      })
      expect(codeIn(second.redirectTo)).not.toBe(codeIn(first.redirectTo))
    }).pipe(inWorld))

  it.effect("redirects the user to the service's own page if the application has none", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application({ redirectUris: [] })
      const { redirectTo } = yield* grant(ANN, { scope: "bot" }, Option.some("https://chat.test/authorised"))
      expect(redirectTo).toMatch(/^https:\/\/chat\.test\/authorised\?code=/)
    }).pipe(inWorld))

  it.effect("fails for an application that is not registered", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      const clientId = ApplicationId.make("404")
      expect(yield* Effect.flip(grant(ANN, { clientId }))).toMatchObject({ _tag: "InvalidClient", clientId })
    }).pipe(inWorld))

  it.effect.each(
    [
      ["UnsupportedResponseType", { responseType: Option.some("token") }],
      ["InvalidScope", { scope: "admin" }],
      ["InvalidRedirectUri", { redirectUri: Option.some("https://evil.test") }],
      ["NotABotApplication", { scope: "bot", guildId: Option.some(GUILD) }]
    ] as const
  )("that is not valid (%s) stores nothing and appends no event", ([tag, request]) =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* guild(GUILD, ANN)
      yield* application()
      expect(yield* failureOf(grant(ANN, request))).toMatchObject({ _tag: tag })
    }).pipe(inWorld))

  it.effect("changes nothing when the event log fails", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* application()
      expect(yield* failureOf(Faults.whileFailing("events.append")(grant(ANN)))).toMatchObject({
        _tag: "StorageError"
      })
    }).pipe(inWorld))
})
