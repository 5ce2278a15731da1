import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import * as Saved from "../Saved.ts"
import * as Faults from "./Faults.ts"
import { deleteDue, eventsOf, scene, scheduleDeletion } from "./Scene.ts"
import * as Time from "./Time.ts"
import { inOwnWorld } from "./World.ts"

const NOTHING_DUE = { claimed: 0, done: 0, failed: 0 }
const DONE = { claimed: 1, done: 1, failed: 0 }

/** What holds when several accounts are due. */
export const deletionBatchLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("accounts whose deletion is due", () => {
    it.effect("are deleted in the order of their dates, at most as many as asked for", () =>
      Effect.gen(function*() {
        const accounts = yield* Effect.forEach([3, 1, 2], (days) =>
          Effect.gen(function*() {
            const { id } = yield* Saved.user()
            yield* scheduleDeletion(id, days)
            return { days, id }
          }))
        yield* Time.adjust("10 days")
        const told = yield* eventsOf(deleteDue(2))
        const soonest = [1, 2].map((days) => accounts.find((account) => account.days === days)?.id)
        expect(told).toEqual(soonest.map((userId) => ({ _tag: "user.deleted", version: 1, userId })))
        expect(yield* deleteDue(2)).toEqual(DONE)
      }).pipe(inWorld))

    it.effect("do not keep one another from being deleted when one can not be", () =>
      Effect.gen(function*() {
        yield* Effect.replicateEffect(Effect.flatMap(scene(), ({ author }) => scheduleDeletion(author.id, 1)), 3)
        yield* Time.adjust("1 day")
        const told = yield* eventsOf(
          Faults.stricken("fails", (step) => step === "credentials.revokeAllOfUser")(deleteDue())
        )
        expect(told.filter(({ _tag }) => _tag === "user.deleted").length).toBe(2)
        yield* Time.adjust(29_999)
        expect(yield* deleteDue()).toEqual(NOTHING_DUE)
        yield* Time.adjust(1)
        expect(yield* deleteDue()).toEqual(DONE)
      }).pipe(inWorld))
  })
}
