import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Ref } from "effect"
import * as BackgroundWork from "../../src/serving/BackgroundWork.ts"
import { within } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"

/** A storage whose first update of a scheduled message fails. Nothing is committed when it is well again. */
const failingOnce = Layer.effect(
  ScheduledMessageRepository,
  Effect.gen(function*() {
    const messages = yield* ScheduledMessageRepository
    const isWell = yield* Ref.make(false)
    return {
      ...messages,
      update: (message, expected) =>
        Effect.flatMap(
          Ref.getAndSet(isWell, true),
          (wasWell) =>
            wasWell ? messages.update(message, expected) : new StorageError({ operation: "update a scheduled message" })
        )
    }
  })
)

const service = UseCases.layer.pipe(
  Layer.provideMerge(failingOnce),
  Layer.provideMerge(SnowflakeGenerator.layer(1)),
  Layer.provideMerge(Layer.merge(StorageMemory.layer, PlatformNode.layer)),
  Layer.provide(Logger.replace(Logger.defaultLogger, Logger.none))
)

describe("a pending message that could not be checked", () => {
  it.scoped("is checked again some seconds later, though nothing is committed meanwhile", () =>
    Effect.gen(function*() {
      const { guild, user } = yield* Fixtures.botWithGuild
      const { id: channelId } = yield* Fixtures.channel(guild.id)
      const { id } = yield* Fixtures.scheduledMessage(user.id, { channelId, status: "pending" })
      yield* Layer.build(BackgroundWork.layer)
      const { find } = yield* ScheduledMessageRepository
      const status = yield* within(
        "10 seconds",
        Effect.map(find(id), Option.map((message) => message.status)),
        (now) => !Option.contains(now, "pending")
      )
      expect(status).toEqual(Option.some("scheduled"))
    }).pipe(Effect.provide(service)))
})
