import { Effect, Either, Option, Schema } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import { GuildRepository } from "../guild/GuildRepository.ts"
import { MembershipRepository } from "../guild/MembershipRepository.ts"
import { MessagePayload } from "../message/MessagePayload.ts"
import { findLimitViolation } from "../message/PayloadLimits.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { ScheduledMessage } from "./ScheduledMessage.ts"

const isPayload = Schema.is(MessagePayload)

/**
 * Makes the check that a message must pass before it is armed and again before it is posted: the payload is valid under the
 * rules of today, which may be stricter than when it was stored, and within the limits, the channel exists, the author is a
 * member of the guild. Returns the channel's guild, or a text for the author that gives the reason.
 */
export const makeDeliverability = Effect.gen(function*() {
  const guilds = yield* GuildRepository
  const memberships = yield* MembershipRepository
  return (message: ScheduledMessage): Effect.Effect<Either.Either<GuildId, string>, StorageError> =>
    Effect.gen(function*() {
      if (!isPayload(message.payload)) return Either.left("The message has a value that is not allowed any more.")
      const broken = Option.getOrUndefined(findLimitViolation(message.payload))
      if (broken !== undefined) return Either.left(broken)
      const channel = Option.getOrUndefined(yield* guilds.findChannel(message.channelId))
      if (channel === undefined) return Either.left("The channel does not exist.")
      const member = yield* memberships.find(channel.guildId, message.authorId)
      return Option.isSome(member)
        ? Either.right(channel.guildId)
        : Either.left("The author has no access to the channel.")
    })
})
