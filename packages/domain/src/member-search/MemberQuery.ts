import { Schema } from "effect"
import { GuildMember } from "../guild/GuildMember.ts"
import { RoleId } from "../guild/Role.ts"
import { maxCodePoints } from "../shared-kernel/CodePointLength.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"

/** The order of the result. Source: API reference, Search guild members. */
export const SortBy = Schema.Literal("joinedAt", "relevance")
export type SortBy = typeof SortBy.Type

/** The direction of the order. `desc` is latest first, or best match first. */
export const SortOrder = Schema.Literal("asc", "desc")
export type SortOrder = typeof SortOrder.Type

/** The maximum length of the text of a search in code points. Source: API reference, Search guild members. */
export const MAX_TEXT_LENGTH = 100

/** The maximum number of members on a page. Source: API reference, Search guild members. */
export const MAX_PAGE_MEMBERS = 100

/** The number of members on a page if the search does not specify it (API gaps, Member search). */
export const DEFAULT_PAGE_MEMBERS = 25

/** The maximum number of roles, join sources or invite codes in a filter. Source: API reference, Search guild members. */
export const MAX_FILTER_ITEMS = 10

const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: () => NoInfer<A>) =>
  Schema.propertySignature(schema).pipe(Schema.withConstructorDefault<A>(value))

const filterItems = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  withDefault(Schema.Array(item).pipe(Schema.maxItems(MAX_FILTER_ITEMS)), () => [])

/**
 * A search for members. An empty list is no filter, bounds are inclusive, times are in Unix seconds. Members must have
 * all of `roleIds`, and any of `joinSourceTypes` and of `sourceInviteCodes`.
 *
 * Source: API reference, Search guild members; defaults: API gaps, Member search.
 */
export const MemberQuery = Schema.Struct({
  /** Matched against username, global name and nickname; a blank text matches all members. */
  text: withDefault(Schema.String.pipe(maxCodePoints(MAX_TEXT_LENGTH)), () => ""),
  limit: withDefault(Schema.Int.pipe(Schema.between(1, MAX_PAGE_MEMBERS)), () => DEFAULT_PAGE_MEMBERS),
  offset: withDefault(Schema.Int.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER)), () => 0),
  roleIds: filterItems(RoleId),
  joinedAtGte: optionalField(Schema.Int),
  joinedAtLte: optionalField(Schema.Int),
  joinSourceTypes: filterItems(Schema.Int),
  sourceInviteCodes: filterItems(Schema.String),
  isBot: optionalField(Schema.Boolean),
  userCreatedAtGte: optionalField(Schema.Int),
  userCreatedAtLte: optionalField(Schema.Int),
  sortBy: withDefault(SortBy, (): SortBy => "joinedAt"),
  sortOrder: withDefault(SortOrder, (): SortOrder => "desc")
}).annotations({ identifier: "MemberQuery" })
export interface MemberQuery extends Schema.Schema.Type<typeof MemberQuery> {}

/**
 * One page of a search, and the exact number of all members that match. While the guild's index is being built,
 * `indexing` is true, the page is empty and the total is 0.
 */
export const MemberPage = Schema.Struct({
  members: Schema.Array(GuildMember),
  total: Schema.NonNegativeInt,
  indexing: Schema.Boolean
}).annotations({ identifier: "MemberPage" })
export interface MemberPage extends Schema.Schema.Type<typeof MemberPage> {}
