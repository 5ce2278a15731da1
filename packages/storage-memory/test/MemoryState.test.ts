import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Users from "@community-messaging/domain/account/User"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { MemoryState } from "@community-messaging/storage-memory/MemoryState"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import * as Table from "@community-messaging/storage-memory/Table"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"

const user = (id: string) => Users.create({ id: Users.UserId.make(id), username: `user ${id}` })

const save = (id: string) =>
  Effect.flatMap(MemoryState, (state) =>
    state.write((tables) => {
      const saved = user(id)
      tables.users = Table.set(tables.users, saved.id, saved)
    }))

const ids = Effect.flatMap(MemoryState, (state) => state.read(({ users }) => Table.rows(users).map(({ id }) => id)))

const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(MemoryState, (state) => state.atomically(effect))

/** After how many steps a fiber yields. With fewer, it may never continue. */
const TURNS = Arrays.range(20, 39)

// Behaviour that the contract does not specify.
describe("MemoryState", () => {
  it.effect("an event is appended also when the storage has closed", () =>
    Effect.gen(function*() {
      const { append } = yield* Effect.scoped(Effect.map(Layer.build(StorageMemory.layer), Context.get(EventLog)))
      expect(yield* Effect.exit(append(Samples.event()))).toEqual(Exit.void)
    }))

  it.effect("a fiber that outlives its transaction writes outside of it", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const fiber = yield* atomically(Effect.zipRight(
        save("1"),
        Effect.forkDaemon(Effect.zipRight(Deferred.await(ended), Effect.zipRight(save("2"), atomically(save("3")))))
      ))
      yield* Deferred.succeed(ended, undefined)
      yield* Fiber.join(fiber)
      expect(yield* ids).toEqual(["1", "2", "3"])
    }).pipe(Effect.provide(MemoryState.layer)))

  it.effect("a transaction that outlives its outer one fails and writes nothing", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const fiber = yield* atomically(Effect.gen(function*() {
        const late = yield* Effect.forkDaemon(atomically(
          save("2").pipe(Effect.zipRight(Deferred.succeed(begun, undefined)), Effect.zipRight(Deferred.await(ended)))
        ))
        yield* Deferred.await(begun)
        return late
      }))
      yield* Deferred.succeed(ended, undefined)
      expect((yield* Effect.flip(Fiber.join(fiber)))._tag).toBe("StorageError")
      expect(yield* ids).toEqual([])
    }).pipe(Effect.provide(MemoryState.layer)))

  it.effect("a change outside a transaction is never lost, at whichever steps fibers take turns", () =>
    Effect.gen(function*() {
      const users = Arrays.makeBy(200, (index) => String(1000 + index))
      yield* Effect.fork(Effect.forever(atomically(Effect.yieldNow())))
      for (const [index, steps] of TURNS.entries()) {
        yield* Effect.withMaxOpsBeforeYield(Effect.forEach(users.slice(index * 10, index * 10 + 10), save), steps)
      }
      expect(yield* ids).toEqual(users)
    }).pipe(Effect.provide(MemoryState.layer)))

  it.effect("two storages in one program have separate transactions", () =>
    Effect.gen(function*() {
      const other = yield* Effect.provide(MemoryState, MemoryState.layer)
      const inOther = <A, E>(effect: Effect.Effect<A, E, MemoryState>) =>
        Effect.provideService(effect, MemoryState, other)
      yield* Effect.flip(atomically(Effect.gen(function*() {
        yield* save("1")
        yield* inOther(save("2"))
        return yield* Effect.fail("no")
      })))
      expect([yield* ids, yield* inOther(ids)]).toEqual([[], ["2"]])
    }).pipe(Effect.provide(MemoryState.layer)))
})
