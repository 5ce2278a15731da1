import type { UserId } from "@community-messaging/domain/account/User"
import { MemberJoined, MemberUpdated } from "@community-messaging/domain/guild/MemberEvents"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Array, Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

const Supplemental = RecordSchema.make(Membership.pick("joinSourceType", "sourceInviteCode", "inviterId"))

/**
 * The record of a membership: a GuildMember of the API without the account's names, so that a search result can be
 * imported unchanged. `joined_at` is in Unix seconds.
 */
export const MemberRecord = Schema.transform(
  RecordSchema.make(
    Schema.Struct({
      ...Membership.pick("guildId", "userId", "nickname", "roleIds", "joinedAt").fields,
      supplemental: Supplemental
    }),
    { roleIds: [], supplemental: {} }
  ),
  Schema.typeSchema(Membership),
  {
    strict: true,
    decode: ({ roleIds, supplemental, ...member }) => ({
      ...member,
      ...supplemental,
      roleIds: Array.fromIterable(new Set(roleIds))
    }),
    encode: ({ inviterId, joinSourceType, sourceInviteCode, ...member }) => ({
      ...member,
      supplemental: { inviterId, joinSourceType, sourceInviteCode }
    })
  }
)

const same = Schema.equivalence(Membership)

const keyOf = ({ guildId, userId }: Membership): string => `${guildId} ${userId}`

const save = (member: Membership, stored: Map<string, Membership>) =>
  Effect.gen(function*() {
    const memberships = yield* MembershipRepository
    const events = yield* EventLog
    const references = yield* References.References
    yield* References.requireAll([
      references.guild("guild_id", member.guildId),
      references.user("user_id", member.userId, { live: true }),
      references.rolesOf("role_ids", member.roleIds, member.guildId)
    ])
    const { guildId, userId } = member
    const existing = Option.fromNullable(stored.get(keyOf(member)))
    return yield* RecordKind.outcome(existing, member, same, () =>
      Effect.gen(function*() {
        yield* memberships.save(member)
        yield* events.append((Option.isNone(existing) ? MemberJoined : MemberUpdated).of({ guildId, userId }))
        stored.set(keyOf(member), member)
      }))
  })

const saveAll = (members: ReadonlyArray<Membership>) =>
  Effect.gen(function*() {
    const memberships = yield* MembershipRepository
    const references = yield* References.References
    yield* references.prefetchUsers(members.map(({ userId }) => userId))
    const found = yield* Effect.forEach(
      Object.values(Array.groupBy(members, ({ guildId }) => guildId)),
      (ofGuild) => memberships.findAll(ofGuild[0].guildId, ofGuild.map(({ userId }) => userId))
    )
    const stored = new Map(found.flat().map((member) => [keyOf(member), member]))
    return yield* RecordKind.oneByOne((member: Membership) => save(member, stored))(members)
  })

/** The record kind of memberships, exported guild by guild. */
export const kind = RecordKind.make({
  kind: "member",
  schema: MemberRecord,
  saveAll,
  all: Effect.map(MembershipRepository, ({ list }) =>
    Stream.flatMap(guilds, (guild) =>
      RecordKind.pages(
        (part: { readonly after: Option.Option<UserId>; readonly limit: number }) =>
          list({ ...part, guildId: guild.id }),
        ({ userId }) => userId
      )))
})
