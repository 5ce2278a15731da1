import { isDeleted, type UserId } from "@community-messaging/domain/account/User"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { Application } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import type { ConsentRequest } from "@community-messaging/domain/oauth2/ConsentRequest"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import * as Permissions from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Option, Redacted, type Scope } from "effect"
import * as Samples from "../Samples.ts"
import * as Saved from "../Saved.ts"
import { testsOnTwoServers } from "../TestsOver.ts"
import { allEvents, deleteDue, join, scheduleDeletion, storedUser } from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import type { TwoConnections } from "../world/World.ts"
import { allSideBySide, failures, rounds, sideBySide, successes, times } from "./SideBySide.ts"

const CALLBACK = "https://app.test/callback"

/** An application with a bot. */
const application = Effect.gen(function*() {
  const bot = yield* Saved.user({ username: "bot", bot: true })
  const made = Samples.application({ botUserId: Option.some(bot.id), redirectUris: [CALLBACK] })
  yield* (yield* ApplicationRepository).save(made)
  return { application: made, bot }
})

const grant = ({ id }: Application, userId: UserId, request: Partial<ConsentRequest> = {}) =>
  Effect.flatMap(Consents, (consents) => consents.grant(userId, Samples.consentRequest(id, request), Option.none()))

/** Grants consent again and again, until the account is scheduled for deletion. */
const grantUntilRefused = (app: Application, userId: UserId) =>
  Effect.forEach(Arrays.range(1, 10), () => grant(app, userId))

/** A guild, and members who may all add a bot to it. */
const guildOf = (count: number) =>
  Effect.gen(function*() {
    const owner = yield* Saved.user()
    const guild = yield* Saved.guild({ ownerId: owner.id })
    const role = yield* Saved.role({ guildId: guild.id, permissions: Permissions.ADMINISTRATOR })
    const managers = yield* Effect.replicateEffect(
      Effect.tap(Saved.user(), ({ id }) => Saved.membership({ guildId: guild.id, userId: id, roleIds: [role.id] })),
      count
    )
    yield* join(guild.id, owner.id)
    return { guild, managers }
  })

/** The code of a new consent. */
const codeOf = (app: Application, userId: UserId) =>
  Effect.map(
    grant(app, userId),
    ({ redirectTo }) => Redacted.make(new URL(redirectTo).searchParams.get("code") ?? "")
  )

const redeem = ({ id }: Application, code: Redacted.Redacted) =>
  Effect.flatMap(Consents, (consents) => consents.redeem({ clientId: id, code, redirectUri: Option.none() }))

/** The guarantees for consents, codes and grants while other units run concurrently. */
export const consentRaces = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("consents", () => {
    const it = testsOnTwoServers(connections)

    it("a bot that several managers add several times joins once, with one role", function*(servers) {
      const added = yield* rounds(servers, () => Effect.all({ app: application, to: guildOf(2) }))
      const outcomes = yield* sideBySide(
        servers,
        added.flatMap(({ app, to: { guild, managers } }) =>
          Arrays.replicate(managers, 2).flat().map(({ id }) =>
            grant(app.application, id, {
              scope: "bot identify",
              guildId: Option.some(guild.id),
              permissions: Option.some(Permissions.NONE)
            })
          )
        )
      )
      expect(failures(outcomes)).toEqual([])
      yield* Effect.gen(function*() {
        const guilds = yield* GuildRepository
        const memberships = yield* MembershipRepository
        for (const { app: { bot }, to: { guild } } of added) {
          const managed = (yield* guilds.roles(guild.id)).filter(({ managedBy }) => Option.contains(managedBy, bot.id))
          expect(managed.length).toBe(1)
          const membership = yield* memberships.find(guild.id, bot.id)
          expect(Option.getOrThrow(membership).roleIds).toEqual(managed.map(({ id }) => id))
        }
        const joined = (yield* allEvents).filter(({ _tag }) => _tag === "member.joined")
        expect(joined.length).toBe(added.length)
        const consents = yield* (yield* ConsentRepository).list({ after: Option.none(), limit: 100 })
        expect(consents.length).toBe(2 * added.length)
      }).pipe(Effect.provide(servers.second))
    })

    it(
      "an account grants nothing after its deletion was scheduled, and a deleted one has no consent",
      function*(servers) {
        const { application: app } = yield* Effect.provide(application, servers.first)
        const codes = yield* rounds(servers, () =>
          Effect.gen(function*() {
            const { id } = yield* Saved.user()
            return { id, code: yield* codeOf(app, id) }
          }))
        yield* allSideBySide(
          servers,
          codes.flatMap(({ id }) => [grantUntilRefused(app, id), scheduleDeletion(id, 1), grantUntilRefused(app, id)])
        )
        yield* Time.adjust("1 day")
        yield* allSideBySide(servers, [
          deleteDue(),
          ...codes.map(({ code }) => redeem(app, code)),
          deleteDue()
        ])
        // An account that another unit changes at that time is claimed by the next batch.
        yield* Effect.provide(deleteDue(), servers.second)
        yield* Effect.gen(function*() {
          const consents = yield* ConsentRepository
          const users = yield* Effect.forEach(codes, ({ id }) => storedUser(id))
          expect(users.filter((user) => !isDeleted(user))).toEqual([])
          expect(yield* consents.list({ after: Option.none(), limit: 100 })).toEqual([])
          const leaving = new Set<string>()
          for (const event of yield* allEvents) {
            if (event._tag === "user.deletion_scheduled") leaving.add(event.userId)
            if (event._tag === "consent.granted") expect(leaving.has(event.userId)).toBe(false)
          }
          const late = yield* Effect.forEach(codes, ({ id }) => Effect.flip(grant(app, id)))
          expect(late.map(({ _tag }) => _tag)).toEqual(codes.map(() => "UnknownUser"))
        }).pipe(Effect.provide(servers.second))
      }
    )

    it("at most one redemption of a code gives access, and none does after the second redemption", function*(servers) {
      const { application: app } = yield* Effect.provide(application, servers.first)
      const codes = yield* rounds(servers, () => Effect.flatMap(Saved.user(), ({ id }) => codeOf(app, id)))
      const granted = yield* Effect.forEach(
        codes,
        (code) => Effect.map(times(servers, 4, redeem(app, code)), successes)
      )
      expect(granted.filter(({ length }) => length > 1)).toEqual([])
      const grants = yield* Effect.forEach(
        granted.flat(),
        (redeemed) => Effect.flatMap(ConsentRepository, (consents) => consents.findGrant(redeemed.grant.tokenDigest))
      ).pipe(Effect.provide(servers.second))
      expect(grants.filter((found) => !Option.exists(found, ({ revokedAt }) => Option.isSome(revokedAt)))).toEqual([])
    })
  })
