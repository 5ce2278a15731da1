import { Context, Effect, Layer } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../StorageError.ts"
import type { ScheduledMessage } from "./ScheduledMessage.ts"
import { ScheduledMessageRepository } from "./ScheduledMessageRepository.ts"
import type { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** The most messages of a list by status (decisions, 6). */
export const MAX_LISTED = 100

/** What an account does with its scheduled messages. */
export class ScheduledMessages extends Context.Tag("@community-messaging/domain/ScheduledMessages")<ScheduledMessages, {
  /**
   * The author's messages: without statuses all undelivered ones, soonest first; with statuses those in one of them,
   * newest first, at most 100. Ties by id. Source: reference, endpoint 2; decisions, 6.
   */
  readonly list: (
    authorId: UserId,
    statuses: ReadonlyArray<ScheduledMessageStatus>
  ) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
}>() {
  static readonly layer = Layer.effect(
    ScheduledMessages,
    Effect.map(ScheduledMessageRepository, (repository) => ({
      list: (authorId, statuses) =>
        statuses.length === 0
          ? repository.undelivered(authorId)
          : repository.inStatus({ authorId, statuses, limit: MAX_LISTED })
    }))
  )
}
