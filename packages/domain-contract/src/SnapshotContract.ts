import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { expect } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { atomically, letRun } from "./Atomically.ts"
import { portContract } from "./OwnPorts.ts"
import * as Saved from "./Saved.ts"

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

const nameOf = ({ id }: User) =>
  Effect.map(
    Effect.flatMap(UserRepository, (users) => users.find(id)),
    Option.match({ onNone: () => "", onSome: ({ username }) => username })
  )

const snapshot = <A, E, R>(reads: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.snapshot(reads))

/** The contract of `UnitOfWork.snapshot`. */
export const snapshotContract = portContract<UnitOfWork | UserRepository>("UnitOfWork, a snapshot", ({ it }) => {
  it("all reads see the same state, also if others write in the meantime", function*() {
    const user = yield* Saved.user({ username: "before" })
    const begun = yield* Deferred.make<void>()
    const writer = yield* Effect.fork(
      Effect.zipRight(Deferred.await(begun), save({ ...user, username: "after" }))
    )
    const seen = yield* snapshot(Effect.gen(function*() {
      const first = yield* nameOf(user)
      yield* Deferred.succeed(begun, undefined)
      // A storage may let the writer of the same process wait until the reads are done.
      yield* letRun(writer)
      return [first, yield* nameOf(user)]
    }))
    yield* Fiber.join(writer)
    expect([seen, yield* nameOf(user)]).toEqual([["before", "before"], "after"])
  })

  it("inside a unit of work the reads see its writes", function*() {
    const user = yield* Saved.user({ username: "before" })
    const seen = yield* atomically(
      Effect.zipRight(save({ ...user, username: "after" }), snapshot(nameOf(user)))
    )
    expect(seen).toBe("after")
  })
})
