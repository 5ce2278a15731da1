import { GuildId } from "@community-messaging/domain/guild/Guild"
import {
  DEFAULT_PAGE_MEMBERS,
  MAX_FILTER_ITEMS,
  MAX_PAGE_MEMBERS,
  MAX_TEXT_LENGTH,
  SortBy,
  SortOrder
} from "@community-messaging/domain/member-search/MemberQuery"
import { maxCodePoints } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { MissingPermissions, UnknownGuild } from "../wire/ApiError.ts"
import { BotCredentials } from "../wire/Credentials.ts"
import { InvalidBody, KIBIBYTE } from "../wire/RequestBody.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import { atMost, field, Int32, Int64, optional, Snowflake, snowflake } from "../wire/WireType.ts"
import { GuildMemberResource } from "./GuildMemberResource.ts"

const filterItems = <A, I>(item: Schema.Schema<A, I>, description: string) =>
  optional(atMost(MAX_FILTER_ITEMS, item), description)

const unixTime = (description: string) => optional(integer("int64"), description)

/** The maximum size of a search in bytes. */
const SEARCH_BODY_LIMIT = 8 * KIBIBYTE

/** A search for members. Source: API reference, Search guild members; defaults: API gaps, Member search. */
export const MemberSearchBody = Schema.Struct({
  query: optional(
    Schema.String.pipe(maxCodePoints(MAX_TEXT_LENGTH)),
    "Text matched against usernames, global names and nicknames. Blank text matches all members."
  ),
  limit: optional(
    integer("int32", { minimum: 1, maximum: MAX_PAGE_MEMBERS }),
    `Maximum results to return; ${DEFAULT_PAGE_MEMBERS} when left out.`
  ),
  offset: optional(
    integer("int64", { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    "Results to skip; 0 when left out."
  ),
  role_ids: filterItems(Schema.String, "The member must have all of these roles."),
  joined_at_gte: unixTime("Joined at or after this Unix timestamp, in seconds."),
  joined_at_lte: unixTime("Joined at or before this Unix timestamp, in seconds."),
  join_source_type: filterItems(integer("int32"), "The member joined in one of these ways."),
  source_invite_code: filterItems(Schema.String, "The member joined with one of these invites."),
  is_bot: optional(Schema.Boolean, "Filter by bot status."),
  user_created_at_gte: unixTime("Account created at or after this Unix timestamp, in seconds."),
  user_created_at_lte: unixTime("Account created at or before this Unix timestamp, in seconds."),
  sort_by: optional(SortBy, "Sort field; joinedAt when left out."),
  sort_order: optional(SortOrder, "Sort direction; desc when left out.")
}).annotations({ identifier: "MemberSearch", description: "A search for members of a guild." })
export interface MemberSearchBody extends Schema.Schema.Type<typeof MemberSearchBody> {}

/** A page of members. Source: API reference, Search guild members. */
export const MemberSearchResult = Schema.Struct({
  guild_id: field(Snowflake, "The searched guild."),
  members: field(Schema.Array(GuildMemberResource), "Matching members."),
  page_result_count: field(
    Int32.annotations({ jsonSchema: { type: "integer", format: "int32", minimum: 0 } }),
    "Number of results in this page."
  ),
  total_result_count: field(
    Int64.annotations({ jsonSchema: { type: "integer", format: "int64", minimum: 0 } }),
    "Total number of matching results."
  ),
  indexing: field(
    Schema.Boolean,
    "Whether the guild's members are currently being indexed: the page is empty then."
  )
}).annotations({ identifier: "MemberSearchResult", description: "A page of matching members." })
export interface MemberSearchResult extends Schema.Schema.Type<typeof MemberSearchResult> {}

/** The operations on members of guilds. */
export const GuildMembersGroup = HttpApiGroup.make("guildMembers")
  .add(
    HttpApiEndpoint.post("search", "/guilds/:guild_id/members-search")
      .setPath(Schema.Struct({ guild_id: field(snowflake(GuildId), "The guild to search.") }))
      .setPayload(MemberSearchBody)
      .addSuccess(MemberSearchResult)
      .addError(MissingPermissions)
      .addError(UnknownGuild)
      .annotate(RequestRules, { bucket: "member-search", bodyLimit: SEARCH_BODY_LIMIT, isIdempotent: true })
      .annotate(OpenApi.Identifier, "searchGuildMembers")
      .annotate(OpenApi.Summary, "Search guild members")
      .annotate(
        OpenApi.Description,
        "Searches and filters the members of a guild that the current user may manage. The total is exact."
      )
  )
  .addError(InvalidBody)
  .middleware(BotCredentials)
  .annotate(OpenApi.Title, "Guild members")
  .annotate(OpenApi.Description, "The members of the guilds that the current user may manage.")
