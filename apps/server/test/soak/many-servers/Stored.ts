import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog, type SequencedAuditRecord } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { Message } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { Array as Arrays, Chunk, Effect, Option, Stream } from "effect"

const PAGE = 500

/** Reads all pages; each begins after the last item of the previous one. */
const allPages = <Item, E, R>(page: (last: Option.Option<Item>) => Effect.Effect<ReadonlyArray<Item>, E, R>) =>
  Stream.paginateChunkEffect(Option.none<Item>(), (last) =>
    Effect.map(page(last), (items) =>
      [
        Chunk.fromIterable(items),
        Option.map(Arrays.last(items), Option.some)
      ] as const)).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray))

/** The log of events. */
export const events = allPages<
  Effect.Effect.Success<ReturnType<typeof EventStream.read>>[number],
  Effect.Effect.Error<ReturnType<typeof EventStream.read>>,
  Effect.Effect.Context<ReturnType<typeof EventStream.read>>
>((last) => EventStream.read(Option.match(last, { onNone: () => 0, onSome: ({ sequence }) => sequence }), PAGE))

/** The audit log. */
export const auditRecords = Effect.flatMap(
  AuditLog,
  ({ read }) =>
    allPages((last: Option.Option<SequencedAuditRecord>) =>
      read(Option.match(last, { onNone: () => 0, onSome: ({ sequence }) => sequence }), PAGE)
    )
)

/** The messages of a channel. */
export const messages = (channelId: ChannelId) =>
  Effect.flatMap(
    MessageRepository,
    ({ inChannel }) =>
      allPages((last: Option.Option<Message>) =>
        inChannel({ channelId, before: Option.map(last, ({ id }) => id), limit: PAGE })
      )
  )

/** An account that must exist. */
export const user = (id: UserId) => Effect.flatMap(UserRepository, ({ find }) => Effect.orDie(Effect.flatten(find(id))))

/** The members of a guild. */
export const members = (guildId: GuildId) =>
  Effect.gen(function*() {
    const { list } = yield* MembershipRepository
    const memberships = yield* allPages((last: Option.Option<{ readonly userId: UserId }>) =>
      list({ guildId, after: Option.map(last, ({ userId }) => userId), limit: PAGE })
    )
    return yield* Effect.forEach(memberships, (membership) =>
      Effect.map(user(membership.userId), (account) => fromMembership(membership, account)))
  })
