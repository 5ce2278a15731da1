import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { type MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { Effect, Option, Schema } from "effect"
import type { Handlers } from "../server/Handlers.ts"
import { MissingPermissions, UnknownGuild } from "../wire/ApiError.ts"
import type { GuildMembersGroup, MemberSearchBody, MemberSearchResult } from "./Api.ts"
import * as GuildMember from "./GuildMemberResource.ts"

/** Limits a time to the range of exact integers. No real time lies outside it. */
const toSafeInteger = (seconds: number | undefined): Option.Option<number> =>
  Option.map(
    Option.fromNullable(seconds),
    (value) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
  )

const isRoleId = Schema.is(RoleId)

/** Converts a body to a query. Missing fields get the domain's defaults. */
export const toQuery = (body: MemberSearchBody): MemberQuery =>
  MemberQuery.make({
    ...(body.query !== undefined && { text: body.query }),
    ...(body.limit !== undefined && { limit: body.limit }),
    ...(body.offset !== undefined && { offset: body.offset }),
    ...(body.role_ids !== undefined && { roleIds: body.role_ids.filter(isRoleId) }),
    joinedAtGte: toSafeInteger(body.joined_at_gte),
    joinedAtLte: toSafeInteger(body.joined_at_lte),
    ...(body.join_source_type !== undefined && { joinSourceTypes: body.join_source_type }),
    ...(body.source_invite_code !== undefined && { sourceInviteCodes: body.source_invite_code }),
    isBot: Option.fromNullable(body.is_bot),
    userCreatedAtGte: toSafeInteger(body.user_created_at_gte),
    userCreatedAtLte: toSafeInteger(body.user_created_at_lte),
    ...(body.sort_by !== undefined && { sortBy: body.sort_by }),
    ...(body.sort_order !== undefined && { sortOrder: body.sort_order })
  })

/** Converts a page to its resource. */
export const toResult = (guildId: GuildId, page: MemberPage): MemberSearchResult => ({
  guild_id: guildId,
  members: page.members.map(GuildMember.fromEntity),
  page_result_count: page.members.length,
  total_result_count: page.total,
  indexing: page.indexing
})

/** Handles the operations on guild members. */
export const make: Effect.Effect<Handlers<typeof GuildMembersGroup>, never, MemberSearch> = Effect.map(
  MemberSearch,
  ({ search }) => ({
    search: ({ caller, path, payload }) =>
      search(caller.id, path.guild_id, toQuery(payload)).pipe(
        Effect.map((page) =>
          // A role in the request may be any string. No member has a role that is not a valid id.
          toResult(path.guild_id, payload.role_ids?.every(isRoleId) ?? true ? page : { ...page, members: [], total: 0 })
        ),
        Effect.catchTags({
          UnknownGuild: () => Effect.fail(new UnknownGuild()),
          MissingGuildPermissions: () => Effect.fail(new MissingPermissions())
        })
      )
  })
)
