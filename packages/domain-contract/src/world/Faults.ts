import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as SideBySide from "@community-messaging/domain/shared-kernel/SideBySide"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Context, Deferred, Effect, Fiber, FiberRef, Layer } from "effect"

/** A step of a use case in storage: a call of a port that has just returned, or a commit. */
export type Step =
  | "audit.append"
  | "consents.removeAllOfUser"
  | "credentials.revokeAllOfUser"
  | "deletedData.purge"
  | "events.append"
  | "guilds.findChannel"
  | "memberships.find"
  | "memberships.removeAllOfUser"
  | "memberships.remove"
  | "messages.insert"
  | "scheduledMessages.claimDue"
  | "scheduledMessages.find"
  | "scheduledMessages.insert"
  | "scheduledMessages.undelivered"
  | "scheduledMessages.update"
  | "users.claimDueDeletions"
  | "users.find"
  | "users.save"
  | "before commit"
  | "after commit"

/** The effect at a step. */
type AtStep = (step: Step) => Effect.Effect<void, StorageError>

const current = FiberRef.unsafeMake<AtStep>(() => Effect.void)

/** Runs after the step, so that a failure also rolls back what the step wrote. */
const after = (step: Step) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
  Effect.zipLeft(effect, Effect.flatMap(FiberRef.get(current), (atStep) => atStep(step)))

/** The ports of accounts and scheduled messages, which fail at the steps that a test chooses. */
export const ports = Layer.effectContext(
  Effect.gen(function*() {
    const audit = yield* AuditLog
    const consents = yield* ConsentRepository
    const credentials = yield* CredentialRepository
    const deletedData = yield* DeletedData
    const events = yield* EventLog
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const messages = yield* MessageRepository
    const scheduledMessages = yield* ScheduledMessageRepository
    const unitOfWork = yield* UnitOfWork
    const users = yield* UserRepository
    return Context.empty().pipe(
      Context.add(AuditLog, { ...audit, append: (record) => after("audit.append")(audit.append(record)) }),
      Context.add(ConsentRepository, {
        ...consents,
        removeAllOfUser: (userId, at) => after("consents.removeAllOfUser")(consents.removeAllOfUser(userId, at))
      }),
      Context.add(CredentialRepository, {
        ...credentials,
        revokeAllOfUser: (userId, at) => after("credentials.revokeAllOfUser")(credentials.revokeAllOfUser(userId, at))
      }),
      Context.add(DeletedData, { purge: after("deletedData.purge")(deletedData.purge) }),
      Context.add(EventLog, { ...events, append: (event) => after("events.append")(events.append(event)) }),
      Context.add(GuildRepository, {
        ...guilds,
        findChannel: (id) => after("guilds.findChannel")(guilds.findChannel(id))
      }),
      Context.add(MembershipRepository, {
        ...memberships,
        find: (guildId, userId) => after("memberships.find")(memberships.find(guildId, userId)),
        removeAllOfUser: (userId) => after("memberships.removeAllOfUser")(memberships.removeAllOfUser(userId)),
        remove: (guildId, userId) => after("memberships.remove")(memberships.remove(guildId, userId))
      }),
      Context.add(MessageRepository, {
        ...messages,
        insert: (message) => after("messages.insert")(messages.insert(message))
      }),
      Context.add(ScheduledMessageRepository, {
        ...scheduledMessages,
        claimDue: (options) => after("scheduledMessages.claimDue")(scheduledMessages.claimDue(options)),
        find: (id) => after("scheduledMessages.find")(scheduledMessages.find(id)),
        insert: (message) => after("scheduledMessages.insert")(scheduledMessages.insert(message)),
        undelivered: (authorId) => after("scheduledMessages.undelivered")(scheduledMessages.undelivered(authorId)),
        update: (message, expected) => after("scheduledMessages.update")(scheduledMessages.update(message, expected))
      }),
      Context.add(UnitOfWork, {
        ...unitOfWork,
        atomically: (effect) => after("after commit")(unitOfWork.atomically(after("before commit")(effect)))
      }),
      Context.add(UserRepository, {
        ...users,
        claimDueDeletions: (options) => after("users.claimDueDeletions")(users.claimDueDeletions(options)),
        find: (id) => after("users.find")(users.find(id)),
        save: (user) => after("users.save")(users.save(user)),
        saveWithoutNewEmail: (user) => after("users.save")(users.saveWithoutNewEmail(user))
      })
    )
  })
)

const storageFails = Effect.fail(new StorageError({ operation: "continue: the test injects a failure" }))

/** Runs the effect while storage fails at each of these steps. */
export const whileFailing = (...steps: ReadonlyArray<Step>) =>
  Effect.locally(current, (step: Step) => steps.includes(step) ? storageFails : Effect.void)

/** Runs the effect, and runs `meanwhile` when the effect is at this step for the first time. */
export const meanwhile =
  <A, E, R>(step: Step, others: Effect.Effect<A, E, R>) =>
  <B, E2, R2>(effect: Effect.Effect<B, E2, R2>): Effect.Effect<B, E2, R | R2> =>
    Effect.contextWithEffect((context: Context.Context<R>) => {
      let happened = false
      const happen = Effect.asVoid(Effect.orDie(Effect.provide(others, context)))
      return Effect.locally(effect, current, (now) =>
        Effect.suspend(() => {
          if (happened || now !== step) return Effect.void
          happened = true
          return happen
        }))
    })

/** A fault of a server: its storage fails, its code has a bug, or its process is killed. */
export type Fault = "fails" | "dies" | "is killed"

export const FAULTS: ReadonlyArray<Fault> = ["fails", "dies", "is killed"]

/**
 * Runs the effect with the fault at the first step for which the condition is true. Steps are counted from 1. Returns the
 * step of the fault: undefined if there was none.
 */
export const injectFault =
  (fault: Fault, when: (step: Step, n: number) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<{ readonly at: Step | undefined }, never, R> =>
    Effect.gen(function*() {
      const killed = yield* Deferred.make<void>()
      let steps = 0
      let at: Step | undefined
      const effectOfFault = {
        "fails": storageFails,
        "dies": Effect.dieMessage("The test injects a defect."),
        // A killed process runs nothing more, not even a finalizer. Storage rolls its work back.
        "is killed": Effect.zipRight(Deferred.succeed(killed, undefined), Effect.never)
      }[fault]
      const server = yield* Effect.fork(Effect.locally(effect, current, (step) =>
        Effect.suspend(() => {
          steps += 1
          if (at !== undefined || !when(step, steps)) return Effect.void
          at = step
          return effectOfFault
        })))
      yield* SideBySide.firstOf(Deferred.await(killed), Fiber.await(server))
      yield* Fiber.interrupt(server)
      return { at }
    })
