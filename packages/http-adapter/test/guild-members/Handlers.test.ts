import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearchBody } from "@community-messaging/http-adapter/guild-members/Api"
import { toQuery } from "@community-messaging/http-adapter/guild-members/Handlers"
import { Option, Schema } from "effect"
import { describe, expect, it } from "vitest"

const queryOf = (body: typeof MemberSearchBody.Encoded) => toQuery(Schema.decodeSync(MemberSearchBody)(body))

describe("The query of a member search", () => {
  it("has all fields of the body", () => {
    const query = queryOf({
      query: "ada",
      limit: 1,
      offset: 2,
      role_ids: ["3", "moderators"],
      joined_at_gte: 4,
      joined_at_lte: 5,
      join_source_type: [6],
      source_invite_code: ["seven"],
      is_bot: true,
      user_created_at_gte: 8,
      user_created_at_lte: 9,
      sort_by: "relevance",
      sort_order: "asc"
    })
    expect(query).toEqual({
      text: "ada",
      limit: 1,
      offset: 2,
      roleIds: ["3"],
      joinedAtGte: Option.some(4),
      joinedAtLte: Option.some(5),
      joinSourceTypes: [6],
      sourceInviteCodes: ["seven"],
      isBot: Option.some(true),
      userCreatedAtGte: Option.some(8),
      userCreatedAtLte: Option.some(9),
      sortBy: "relevance",
      sortOrder: "asc"
    })
  })

  it("has the defaults of the domain for missing fields", () => {
    expect(queryOf({})).toEqual(MemberQuery.make({}))
  })

  it("has times within the exact integers: no member joined outside of them", () => {
    expect(queryOf({ joined_at_gte: -(2 ** 63), joined_at_lte: 2 ** 63 })).toMatchObject({
      joinedAtGte: Option.some(Number.MIN_SAFE_INTEGER),
      joinedAtLte: Option.some(Number.MAX_SAFE_INTEGER)
    })
  })
})
