import { ImageInspectorBusy } from "@community-messaging/domain/webhook/ImageInspector"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Exit, Fiber, FiberId, Option, Scheduler } from "effect"
import * as DecoderQueue from "../src/DecoderQueue.ts"

/** Work that ends when the test completes it. */
const makeWork = Effect.map(
  Effect.all({ begun: Deferred.make<void>(), ended: Deferred.make<void>() }),
  ({ begun, ended }) => ({
    begun,
    end: Deferred.succeed(ended, undefined),
    work: Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(ended))
  })
)

const hasBegun = (work: Effect.Effect.Success<typeof makeWork>) => Deferred.isDone(work.begun)

describe("the queue of images to decode", () => {
  it.effect.each<
    readonly [when: string, before: (request: Fiber.RuntimeFiber<unknown, unknown>) => Effect.Effect<unknown>]
  >([
    ["", () => Effect.void],
    [", and waits for the end of an image whose request has already ended", Fiber.interrupt]
  ])("decodes one image at a time%s", ([, before]) =>
    Effect.gen(function*() {
      const queue = DecoderQueue.make(2)
      const [first, second] = yield* Effect.all([makeWork, makeWork])
      const request = yield* Effect.fork(queue.run(first.work))
      yield* Deferred.await(first.begun)
      yield* before(request)
      const waiting = yield* Effect.fork(queue.run(second.work))
      yield* Effect.yieldNow()
      expect(yield* hasBegun(second)).toBe(false)
      yield* first.end
      yield* Deferred.await(second.begun)
      yield* second.end
      expect(yield* Fiber.await(waiting)).toEqual(Exit.void)
    }))

  it.effect("rejects an image if too many wait", () =>
    Effect.gen(function*() {
      const queue = DecoderQueue.make(2)
      const works = yield* Effect.replicateEffect(makeWork, 2)
      yield* Effect.forEach(works, ({ work }) => Effect.fork(queue.run(work)))
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(queue.run(Effect.void))).toEqual(new ImageInspectorBusy())
      yield* Effect.forEach(works, ({ end }) => end)
      yield* Effect.eventually(queue.run(Effect.void))
    }))

  it.effect("removes an image whose request ends while it waits", () =>
    Effect.gen(function*() {
      const queue = DecoderQueue.make(2)
      const [first, forgotten, next] = yield* Effect.all([makeWork, makeWork, makeWork])
      yield* Effect.fork(queue.run(first.work))
      yield* Deferred.await(first.begun)
      const request = yield* Effect.fork(queue.run(forgotten.work))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(request)
      yield* Effect.fork(queue.run(next.work))
      yield* first.end
      yield* Deferred.await(next.begun)
      expect(yield* hasBegun(forgotten)).toBe(false)
    }))

  it.effect("continues after a request that ends at whatever step, also when its fiber yields there", () =>
    Effect.forEach(Arrays.range(1, 80), (step) =>
      Effect.gen(function*() {
        const queue = DecoderQueue.make(2)
        const decoding = yield* Effect.fork(queue.run(Effect.yieldNow()))
        const state: { steps: number; request?: Fiber.RuntimeFiber<unknown, unknown> } = { steps: 0 }
        const scheduler = Scheduler.make((...task) => Scheduler.defaultScheduler.scheduleTask(...task), (running) => {
          if (running !== state.request) return false
          state.steps += 1
          if (state.steps !== step) return false
          running.unsafeInterruptAsFork(FiberId.none)
          return 0
        })
        state.request = yield* Effect.withScheduler(Effect.fork(queue.run(Effect.void)), scheduler)
        yield* Fiber.await(decoding)
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        const next = yield* Effect.fork(queue.run(Effect.void))
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        expect([step, next.unsafePoll()]).toEqual([step, Exit.void])
      }), { discard: true }))

  it.effect("continues after an image that cannot be decoded", () =>
    Effect.gen(function*() {
      const queue = DecoderQueue.make(1)
      expect(yield* Effect.flip(queue.run(Effect.fail("unreadable")))).toBe("unreadable")
      expect(Option.isSome(yield* Effect.option(queue.run(Effect.void)))).toBe(true)
    }))
})
