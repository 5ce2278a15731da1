import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import * as Faults from "../world/Faults.ts"
import { fullAccount } from "../world/FullAccount.ts"
import {
  allEvents,
  contents,
  deleteDue,
  dispatch,
  inUtc,
  saying,
  scene,
  schedule,
  scheduleDeletion
} from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import { everything } from "../world/WholeState.ts"
import { inOwnWorld } from "../world/World.ts"

/** The timeout in milliseconds: each of these tests runs many times. */
const LONG = 60_000

/** Longer than the lease of a claim and than the delay before an attempt. */
const LONG_ENOUGH = "30 seconds"

/** The stored data before and after the effect, with the fault at this step. */
const around = <A, E, R>(fault: Faults.Fault, step: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* everything
    const { at } = yield* Faults.injectFault(fault, (_, n) => n === step)(effect)
    return { at, before, after: yield* everything }
  })

/** If a server fails at any step, its work is committed completely or not at all, and exactly once in the end. */
export const crashContract = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe.each(Faults.FAULTS)("if a server %s at any step", (fault) => {
    it.effect(
      "a due message is posted completely or not at all, and exactly once in the end",
      () =>
        Effect.gen(function*() {
          const at = yield* scene()
          const failedAt: Array<Faults.Step> = []
          for (let step = 1;; step += 1) {
            const soon = DateTime.add(yield* DateTime.now, { seconds: 1 })
            yield* schedule(at, { ...inUtc(soon), payload: saying(`${step}`) })
            yield* Time.adjust("1 second")
            const already = (yield* allEvents).length
            const outcome = yield* around(fault, step, dispatch())
            if (outcome.at === undefined) break
            failedAt.push(outcome.at)

            const told = (yield* allEvents).slice(already).map(({ _tag }) => _tag)
            const done = (yield* contents(at.channel.id)).filter((content) => content === `${step}`).length
            expect([outcome.at, done, told]).toEqual(
              outcome.at === "after commit"
                ? [outcome.at, 1, ["message.created", "scheduled_message.updated"]]
                : [outcome.at, 0, []]
            )

            yield* Time.adjust(LONG_ENOUGH)
            yield* dispatch()
            expect((yield* contents(at.channel.id)).filter((content) => content === `${step}`)).toEqual([`${step}`])
          }
          expect(failedAt).toEqual([
            "scheduledMessages.claimDue",
            "scheduledMessages.find",
            "guilds.findChannel",
            "memberships.find",
            "messages.insert",
            "events.append",
            "scheduledMessages.update",
            "events.append",
            "before commit",
            "after commit"
          ])
        }).pipe(inWorld),
      LONG
    )

    it.effect(
      "a due account is deleted completely or not at all, and exactly once in the end",
      () =>
        Effect.gen(function*() {
          const { user } = yield* fullAccount({ bot: true })
          yield* scheduleDeletion(user.id, 1)
          yield* Time.adjust("1 day")
          const failedAt: Array<Faults.Step> = []
          for (let step = 1;; step += 1) {
            const outcome = yield* around(fault, step, deleteDue())
            if (outcome.at === undefined) break
            failedAt.push(outcome.at)
            if (outcome.at !== "after commit") expect([outcome.at, outcome.after]).toEqual([outcome.at, outcome.before])
            yield* Time.adjust(LONG_ENOUGH)
          }
          expect(failedAt.slice(-2)).toEqual(["before commit", "after commit"])
          expect(failedAt.length).toBeGreaterThan(19)
          const told = yield* allEvents
          expect(told.filter(({ _tag }) => _tag === "user.deleted").length).toBe(1)
        }).pipe(inWorld),
      LONG
    )
  })
}
