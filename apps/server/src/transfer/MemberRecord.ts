import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberJoined, MemberUpdated } from "@community-messaging/domain/guild/MemberEvents"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Int32 } from "@community-messaging/domain/shared-kernel/Int32"
import { Array, Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import { failOnProblems } from "./InvalidRecord.ts"
import { named, optional, optionalNamed, withDefault, withDefaultNamed } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"
import * as References from "./References.ts"

const Supplemental = Schema.Struct({
  joinSourceType: optionalNamed("join_source_type", Int32),
  sourceInviteCode: optionalNamed("source_invite_code", Schema.String),
  inviterId: optionalNamed("inviter_id", UserId)
})

const NO_SUPPLEMENT = { joinSourceType: Option.none(), sourceInviteCode: Option.none(), inviterId: Option.none() }

/**
 * The record of a membership: a GuildMember of the API without the account's names, so that a search result can be
 * imported unchanged. `joined_at` is in Unix seconds.
 */
export const MemberRecord = Schema.transform(
  Schema.Struct({
    guildId: named("guild_id", GuildId),
    userId: named("user_id", UserId),
    nickname: optional(Schema.String),
    roleIds: withDefaultNamed("role_ids", Schema.Array(RoleId), () => []),
    joinedAt: named("joined_at", Schema.Int),
    supplemental: withDefault(Supplemental, () => NO_SUPPLEMENT)
  }),
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

const keep = (member: Membership, stored: Map<string, Membership>) =>
  Effect.gen(function*() {
    const memberships = yield* MembershipRepository
    const events = yield* EventLog
    const references = yield* References.References
    yield* failOnProblems(
      yield* References.all([
        references.guild("guild_id", member.guildId),
        references.user("user_id", member.userId, { live: true }),
        references.rolesOf("role_ids", member.roleIds, member.guildId)
      ])
    )
    const { guildId, userId } = member
    return yield* RecordKind.outcome(
      Option.fromNullable(stored.get(keyOf(member))),
      member,
      same,
      (before) =>
        Effect.zipRight(
          memberships.save(member),
          events.append((Option.isNone(before) ? MemberJoined : MemberUpdated).of({ guildId, userId }))
        ).pipe(Effect.tap(() => Effect.sync(() => stored.set(keyOf(member), member))))
    )
  })

const keepAll = (members: ReadonlyArray<Membership>) =>
  Effect.gen(function*() {
    const memberships = yield* MembershipRepository
    const references = yield* References.References
    yield* references.prefetchUsers(members.map(({ userId }) => userId))
    const found = yield* Effect.forEach(
      Object.values(Array.groupBy(members, ({ guildId }) => guildId)),
      (ofGuild) => memberships.findAll(ofGuild[0].guildId, ofGuild.map(({ userId }) => userId))
    )
    const stored = new Map(found.flat().map((member) => [keyOf(member), member]))
    return yield* RecordKind.oneByOne((member: Membership) => keep(member, stored))(members)
  })

/** The record kind of memberships, exported guild by guild. */
export const kind = RecordKind.make({
  kind: "member",
  schema: MemberRecord,
  keepAll,
  all: Stream.unwrap(Effect.map(MembershipRepository, ({ list }) =>
    Stream.flatMap(guilds, (guild) =>
      RecordKind.pages(
        (options: { readonly after: Option.Option<UserId>; readonly limit: number }) =>
          list({ ...options, guildId: guild.id }),
        (member) => member.userId
      ))))
})
