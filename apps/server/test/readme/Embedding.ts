import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { create, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, Layer } from "effect"

const Service = UseCases.layer.pipe(
  Layer.provide([PlatformNode.layer, SnowflakeGenerator.layer(0)]),
  Layer.provideMerge(StorageMemory.layer) // on a file: StorageSqlite.layer, with WorkerLock.layer; or your own
)

export const program = Effect.gen(function*() {
  const [users, accounts] = yield* Effect.all([UserRepository, Accounts])
  yield* users.save(create({ id: UserId.make("1"), username: "ada" }))
  return yield* accounts.changeEmail({
    userId: UserId.make("1"),
    email: EmailAddress.make("ada@example.org"),
    actor: { _tag: "Program" }
  })
}).pipe(Effect.provide(Service))
