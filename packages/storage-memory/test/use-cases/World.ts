import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as UseCases from "@community-messaging/domain/UseCases"
import { InvalidAvatarImage } from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import * as DigestNode from "@community-messaging/platform-node/DigestNode"
import { DateTime, Effect, FiberRef, Layer, TestClock } from "effect"
import * as StorageMemory from "../../src/StorageMemory.ts"

/** The moment at which every test begins. */
export const START = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

const clock = Layer.effectDiscard(TestClock.setTime(START.epochMillis))

/** Bytes that are never the same twice, and the same on every run. */
const random = Layer.sync(SecureRandom, () => {
  let calls = 0
  return {
    bytes: (count) =>
      Effect.sync(() => {
        calls += 1
        return Uint8Array.from({ length: count }, (_, index) => (calls * 31 + index * 7) % 256)
      })
  }
})

/** Bytes that the inspector of these tests takes for a still PNG, told from others by the number. */
export const still = (number: number): Uint8Array => Uint8Array.of(1, number)

/** Bytes that the inspector of these tests takes for an animated GIF. */
export const animated = (number: number): Uint8Array => Uint8Array.of(2, number)

const images = Layer.succeed(ImageInspector, {
  inspect: (bytes) =>
    bytes[0] === 1
      ? Effect.succeed({ contentType: "image/png", animated: false })
      : bytes[0] === 2
      ? Effect.succeed({ contentType: "image/gif", animated: true })
      : Effect.fail(new InvalidAvatarImage())
})

const failing = {
  audit: FiberRef.unsafeMake(false),
  events: FiberRef.unsafeMake(false),
  messages: FiberRef.unsafeMake(false)
}

/** Fails after the write it follows, so that it must be undone with all the rest. */
const failAfter = <A, E>(write: Effect.Effect<A, E>, when: FiberRef.FiberRef<boolean>) =>
  Effect.zipLeft(
    write,
    Effect.flatMap(FiberRef.get(when), (fails) =>
      fails ? Effect.fail(new StorageError({ operation: "append" })) : Effect.void)
  )

const auditThatMayFail = Layer.effect(
  AuditLog,
  Effect.map(AuditLog, (log) => ({ ...log, append: (record) => failAfter(log.append(record), failing.audit) }))
)

const eventsThatMayFail = Layer.effect(
  EventLog,
  Effect.map(EventLog, (log) => ({ ...log, append: (event) => failAfter(log.append(event), failing.events) }))
)

const messagesThatMayFail = Layer.effect(
  MessageRepository,
  Effect.map(MessageRepository, (messages) => ({
    ...messages,
    insert: (message) => failAfter(messages.insert(message), failing.messages)
  }))
)

/** Runs the effect while nothing can be added to the audit log. */
export const whileAuditFails = Effect.locally(failing.audit, true)

/** Runs the effect while nothing can be added to the event log. */
export const whileEventLogFails = Effect.locally(failing.events, true)

/** Runs the effect while no message can be posted. */
export const whilePostingFails = Effect.locally(failing.messages, true)

/** All use cases on an empty storage of their own, with its ports to prepare it and to look into it. */
export const world = UseCases.layer.pipe(
  Layer.provide(Layer.mergeAll(auditThatMayFail, eventsThatMayFail, messagesThatMayFail)),
  Layer.provideMerge(Layer.mergeAll(
    StorageMemory.layer,
    SnowflakeGenerator.layer(1),
    DigestNode.layer,
    random,
    images
  )),
  Layer.provideMerge(clock)
)
