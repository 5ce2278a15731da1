import { tombstone } from "@community-messaging/domain/account/Tombstone"
import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { claimContract } from "./ClaimContract.ts"
import { portContract } from "./OwnPorts.ts"
import { NOON, noonPlus } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const pending = (at = NOON) => Saved.user({ pendingDeletionAt: Option.some(at) })

const claimAt = (now = NOON) =>
  Effect.flatMap(UserRepository, (users) => users.claimDueDeletions({ now, leaseUntil: noonPlus(30_000), limit: 100 }))

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

const nextAt = Effect.flatMap(UserRepository, (users) => users.nextDeletionAt)

/** The contract of `UserRepository` for due deletions. */
export const dueDeletionContract = portContract<UserRepository>("UserRepository, deletions", ({ it, storage }) => {
  claimContract(
    "due deletions",
    {
      due: (at) => Effect.map(pending(at), ({ id }) => id),
      claim: (options) => Effect.flatMap(UserRepository, (users) => users.claimDueDeletions(options)),
      nextAt,
      count: (now, limit) => Effect.flatMap(UserRepository, (users) => users.countDueDeletions(now, limit))
    },
    storage
  )

  it("an account without a deletion date, a tombstone, and one whose deletion was cancelled are not due", function*() {
    yield* Saved.user()
    yield* save(tombstone(yield* pending(), NOON))
    yield* save({ ...(yield* pending()), pendingDeletionAt: Option.none() })
    expect([yield* claimAt(), yield* nextAt]).toEqual([[], Option.none()])
  })

  it("an account whose deletion was scheduled again is due at the new date only", function*() {
    const user = yield* pending()
    yield* save({ ...user, pendingDeletionAt: Option.some(noonPlus(5)) })
    expect([yield* claimAt(noonPlus(4)), yield* nextAt, yield* claimAt(noonPlus(5))])
      .toEqual([[], Option.some(noonPlus(5)), [user.id]])
  })

  it("another change of the account does not end the claim", function*() {
    const user = yield* pending()
    yield* claimAt()
    yield* save({ ...user, bio: Option.some("changed meanwhile") })
    expect([yield* claimAt(noonPlus(1)), yield* nextAt]).toEqual([[], Option.some(noonPlus(30_000))])
  })
})
