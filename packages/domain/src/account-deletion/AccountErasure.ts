import { Array, type DateTime, Effect, Option } from "effect"
import { CredentialRepository } from "../access/CredentialRepository.ts"
import type { User, UserId } from "../account/User.ts"
import { UserDeleted } from "../account/UserEvents.ts"
import { UserRepository } from "../account/UserRepository.ts"
import { MemberLeft } from "../guild/MemberEvents.ts"
import { MembershipRepository } from "../guild/MembershipRepository.ts"
import { ConsentRepository } from "../oauth2/ConsentRepository.ts"
import * as ScheduledMessage from "../scheduled-message/ScheduledMessage.ts"
import { scheduledMessageUpdated } from "../scheduled-message/ScheduledMessageEvents.ts"
import { ScheduledMessageRepository } from "../scheduled-message/ScheduledMessageRepository.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import { yieldToEventLoop } from "../shared-kernel/YieldToEventLoop.ts"

/**
 * The number of events after which the deletion yields to the event loop, every few milliseconds: an account may be in
 * thousands of guilds. Requests that only read are then served. On SQLite, other writes wait for the unit of work.
 */
const EVENTS_AT_ONCE = 100

/** The status reason of messages that are cancelled because their author's account is deleted. */
const CANCELLED_WITH_ACCOUNT = "The author's account was deleted."

/**
 * Makes the function that deletes one account: it revokes tokens, consents and grants, cancels undelivered messages and
 * removes their content, ends memberships, replaces the account with its tombstone, and appends the events. Must run in a unit
 * of work that has locked the account.
 */
export const makeEraseAccount = Effect.gen(function*() {
  const users = yield* UserRepository
  const credentials = yield* CredentialRepository
  const consents = yield* ConsentRepository
  const scheduledMessages = yield* ScheduledMessageRepository
  const memberships = yield* MembershipRepository
  const events = yield* EventLog

  const cancelMessages = (userId: UserId, now: DateTime.Utc) =>
    Effect.gen(function*() {
      for (const message of yield* scheduledMessages.undelivered(userId)) {
        const cancelled = yield* Effect.orDie(
          ScheduledMessage.cancel(message, Option.some(CANCELLED_WITH_ACCOUNT), now)
        )
        yield* Effect.catchTag(
          scheduledMessages.update(ScheduledMessage.withoutContent(cancelled), message.status),
          "ScheduledMessageConflict",
          Effect.die
        )
        yield* events.append(scheduledMessageUpdated(cancelled))
      }
    })

  const leaveGuilds = (userId: UserId) =>
    Effect.gen(function*() {
      const left = yield* memberships.removeAllOfUser(userId)
      for (const [index, guildIds] of Array.chunksOf(left, EVENTS_AT_ONCE).entries()) {
        if (index > 0) yield* yieldToEventLoop
        for (const guildId of guildIds) yield* events.append(MemberLeft.of({ guildId, userId }))
      }
    })

  return (tombstone: User, now: DateTime.Utc) =>
    Effect.gen(function*() {
      const userId = tombstone.id
      yield* credentials.revokeAllOfUser(userId, now)
      yield* consents.removeAllOfUser(userId, now)
      yield* cancelMessages(userId, now)
      yield* leaveGuilds(userId)
      yield* users.saveWithoutNewEmail(tombstone)
      yield* events.append(UserDeleted.of({ userId }))
    })
})
