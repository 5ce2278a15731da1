import { UserId } from "@community-messaging/domain/account/User"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { pages } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"

const plainConsent = plainData(Consent)
const plainCode = plainData(AuthorizationCode)
const plainGrant = plainData(AccessGrant)

const insertedCode = (changes: Partial<AuthorizationCode> = {}) =>
  Effect.gen(function*() {
    const code = Samples.code(changes)
    yield* (yield* ConsentRepository).insertCode(code)
    return code
  })

const insertedGrant = (changes: Partial<AccessGrant> = {}) =>
  Effect.gen(function*() {
    const grant = Samples.grant(changes)
    yield* (yield* ConsentRepository).insertGrant(grant)
    return grant
  })

const revokedAt = ({ tokenDigest }: AccessGrant) =>
  Effect.map(
    Effect.flatMap(ConsentRepository, (consents) => consents.findGrant(tokenDigest)),
    Option.flatMap((grant) => grant.revokedAt)
  )

/** The contract of `ConsentRepository`. */
export const consentRepositoryContract = portContract<ConsentRepository>("ConsentRepository", ({ it }) => {
  it("a consent is found by its account and its application together", function*() {
    const consents = yield* ConsentRepository
    const [one, other] = [Samples.consent(), Samples.consent()]
    yield* Effect.forEach([one, other], consents.save)
    expect([
      Option.isSome(yield* consents.find(one.userId, one.applicationId)),
      Option.isSome(yield* consents.find(one.userId, other.applicationId)),
      Option.isSome(yield* consents.find(other.userId, one.applicationId))
    ]).toEqual([true, false, false])
  })

  it("consents are listed in the order of user and application ids by number, page by page", function*() {
    const consents = yield* ConsentRepository
    const ids = ["10", "9223372036854775807", "9"]
    yield* Effect.forEach(Arrays.cartesian(ids, ids), ([userId, applicationId]) =>
      consents.save(
        Samples.consent({ userId: UserId.make(userId), applicationId: ApplicationId.make(applicationId) })
      ))
    const found = yield* pages({
      page: consents.list,
      key: ({ applicationId, userId }) => ({ userId, applicationId }),
      limit: 4
    })
    const ordered = ["9", "10", "9223372036854775807"]
    expect([
      found.map((page) => page.length),
      found.flat()
    ]).toEqual([
      [4, 4, 1],
      Arrays.cartesian(ordered, ordered).map(([userId, applicationId]) => ({ userId, applicationId }))
    ])
  })

  describe("codes", () => {
    it("a code that exists is redeemed once, and is found with that time", function*() {
      const consents = yield* ConsentRepository
      const code = yield* insertedCode()
      expect([
        yield* consents.redeemCode(FreshIds.digest(), NOON),
        yield* consents.redeemCode(code.digest, NOON),
        yield* consents.redeemCode(code.digest, noonPlus(1))
      ]).toEqual([false, true, false])
      expect(Option.map(yield* consents.findCode(code.digest), plainCode))
        .toEqual(Option.some(plainCode({ ...code, redeemedAt: Option.some(NOON) })))
    })

    it("of several callers that redeem a code at the same time, exactly one gets true", function*() {
      const consents = yield* ConsentRepository
      const { digest } = yield* insertedCode()
      const told = yield* Effect.all(Arrays.replicate(consents.redeemCode(digest, NOON), 20), {
        concurrency: "unbounded"
      })
      expect(
        told.filter((redeemed) => redeemed).length
      ).toBe(1)
    })

    it("codes that expired before the time are removed, at most the limit, but not one that expires at it", function*() {
      const consents = yield* ConsentRepository
      yield* Effect.replicateEffect(insertedCode({ expiresAt: noonPlus(-1) }), 3)
      const { digest } = yield* insertedCode({ expiresAt: NOON })
      expect(yield* Effect.replicateEffect(consents.removeCodesExpiredBefore(NOON, 2), 3)).toEqual([2, 1, 0])
      expect(Option.isSome(yield* consents.findCode(digest))).toBe(true)
    })

    it("the removal of an expired code keeps its grant", function*() {
      const consents = yield* ConsentRepository
      const { digest } = yield* insertedCode({ expiresAt: noonPlus(-1), redeemedAt: Option.some(noonPlus(-2)) })
      const { tokenDigest } = yield* insertedGrant({ codeDigest: digest })
      yield* consents.removeCodesExpiredBefore(NOON, 10)
      expect(Option.isSome(yield* consents.findGrant(tokenDigest))).toBe(true)
    })
  })

  describe("grants", () => {
    it("the grants of a code are revoked once and still found, and those of another code or application stay valid", function*() {
      const consents = yield* ConsentRepository
      const grant = yield* insertedGrant()
      const others = [yield* insertedGrant(), yield* insertedGrant({ codeDigest: grant.codeDigest })]
      yield* consents.revokeGrantsOfCode({ ...grant, at: NOON })
      yield* consents.revokeGrantsOfCode({ ...grant, at: noonPlus(1) })
      expect(Option.map(yield* consents.findGrant(grant.tokenDigest), plainGrant))
        .toEqual(Option.some(plainGrant({ ...grant, revokedAt: Option.some(NOON) })))
      expect(yield* Effect.forEach(others, revokedAt)).toEqual([Option.none(), Option.none()])
    })
  })

  describe("removal of all consents, codes and grants of a user", () => {
    it("consents and codes of the user are removed, and those of another user stay", function*() {
      const consents = yield* ConsentRepository
      const { id: userId } = Samples.user()
      const own = [Samples.consent({ userId }), Samples.consent({ userId })]
      const other = Samples.consent()
      yield* Effect.forEach([...own, other], consents.save)
      const codes = [yield* insertedCode({ userId }), yield* insertedCode()]
      yield* consents.removeAllOfUser(userId, NOON)
      expect([
        (yield* consents.list({ after: Option.none(), limit: 10 })).map(plainConsent),
        yield* Effect.forEach(codes, ({ digest }) => Effect.map(consents.findCode(digest), Option.isSome))
      ]).toEqual([[plainConsent(other)], [false, true]])
    })

    it("grants of the user are revoked once and still found, and those of another user stay valid", function*() {
      const consents = yield* ConsentRepository
      const grant = yield* insertedGrant()
      const revoked = yield* insertedGrant({ userId: grant.userId, revokedAt: Option.some(noonPlus(-1)) })
      const other = yield* insertedGrant()
      yield* consents.removeAllOfUser(grant.userId, NOON)
      expect(yield* Effect.forEach([grant, revoked, other], revokedAt))
        .toEqual([Option.some(NOON), Option.some(noonPlus(-1)), Option.none()])
    })
  })
})
