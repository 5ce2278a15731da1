import { Accounts } from "@community-messaging/domain/account/Accounts"
import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import { create, DeletionReasonCode, isDeleted, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { EventRetention } from "@community-messaging/domain/event/EventRetention"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as Mount from "@community-messaging/http-adapter/Mount"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import { DateTime, Duration, Effect, Layer, ManagedRuntime, Option } from "effect"
import { createServer } from "node:http"

/* The programs of docs/embedding.md. */

const user = create({ id: UserId.make("1"), username: "ada" })
const now = DateTime.unsafeMake("2027-03-01T12:00:00Z")

const scheduled = DeletionSchedule.schedule(user, {
  reasonCode: DeletionReasonCode.make(1),
  publicReason: Option.none(),
  daysUntilDeletion: DeletionSchedule.DEFAULT_DAYS_UNTIL_DELETION
}, now) // Either<User, SystemAccountNotDeletable | UnknownUser>
const remains = tombstone(user, now)

export const rules = { scheduled, remains }

const filename = ":memory:"

const Service = UseCases.layer.pipe(
  Layer.provideMerge(SnowflakeGenerator.layerOfWorker),
  Layer.provideMerge(WorkerLock.layer(filename)),
  Layer.provideMerge(PlatformNode.layer),
  Layer.provideMerge(StorageSqlite.layer({ filename }))
)

const register = (name: string, address: string) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const accounts = yield* Accounts
    const snowflakes = yield* SnowflakeGenerator
    const { atomically } = yield* UnitOfWork
    return yield* atomically(Effect.gen(function*() {
      const id = UserId.make(yield* snowflakes.next)
      yield* users.save(create({ id, username: name }))
      return yield* accounts.changeEmail({
        userId: id,
        email: EmailAddress.make(address),
        actor: { _tag: "Program" }
      })
    }))
  })

const rename = (userId: UserId, name: string) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const { atomically, lock } = yield* UnitOfWork
    yield* atomically(Effect.gen(function*() {
      yield* lock({ kind: "account", id: userId })
      const found = Option.filter(yield* users.find(userId), (account) => !isDeleted(account))
      if (Option.isSome(found)) yield* users.save({ ...found.value, username: name })
    }))
  })

const settings = Layer.succeed(EventRetention, Duration.days(90))

/** The layers of the page. */
export const App = Layer.mergeAll(BackgroundWork.layer, RateLimits.layer(), Layer.scope).pipe(
  Layer.provideMerge(Service),
  Layer.provide(settings)
)

const nightly = Effect.gen(function*() {
  const steps = yield* BackgroundWork.steps
  const { failed } = yield* steps.deleteDueAccounts
  if (failed > 0) yield* Effect.logWarning("Some accounts are not deleted yet")
  return yield* steps.removeExpiredData
})

/** Runs all programs of the page, in its order. Returns the responses of the mounted API. */
export const run = async () => {
  const runtime = ManagedRuntime.make(App)
  const ada = await runtime.runPromise(register("ada", "ada@example.org"))
  await runtime.runPromise(rename(ada.id, "countess"))
  const renamed = await runtime.runPromise(Effect.flatMap(UserRepository, (users) => users.find(ada.id)))
  const removed = await runtime.runPromise(nightly)

  const api = await runtime.runPromise(Mount.make({ publicUrl: "https://example.org", prefix: "/chat" }))
  const server = createServer((request, response) => api.listener(request, response, () => response.end("mine")))
  server.listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))

  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const mine = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const { status } = await fetch(`http://127.0.0.1:${port}/chat/v1/openapi.json`)

  await runtime.runPromise(api.drain) // ends event streams, and waits for requests in progress
  server.close()
  await runtime.dispose()
  server.closeAllConnections()
  return { ada, renamed, removed, mine, status }
}
