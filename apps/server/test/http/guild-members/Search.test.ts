import { KNOWN } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { searching } from "../Searching.ts"
import { onMemory } from "../TestServer.ts"

const pathOf = (guildId: string): string => `/v1/guilds/${guildId}/members-search`

onMemory("POST /v1/guilds/{guild_id}/members-search", (it) => {
  it.effect("returns a page with all fields of the reference", () =>
    Effect.gen(function*() {
      const { guild, token, user } = yield* Fixtures.botWithGuild
      const found = yield* Fixtures.person({ username: "ada", discriminator: 7, globalName: "Ada L." })
      const role = yield* Fixtures.role(guild.id, 0n)
      yield* Fixtures.member(guild.id, found.id, {
        nickname: Option.some("countess"),
        roleIds: [role.id],
        joinedAt: 1_600_000_000,
        joinSourceType: Option.some(1),
        sourceInviteCode: Option.some("welcome"),
        inviterId: Option.some(user.id)
      })
      const response = yield* send(pathOf(guild.id), { bot: token, body: { query: "countess" } })
      expect(response.status).toBe(200)
      expect(response.json).toEqual({
        guild_id: guild.id,
        members: [{
          id: `${guild.id}:${found.id}`,
          guild_id: guild.id,
          user_id: found.id,
          username: "ada",
          discriminator: "0007",
          global_name: "Ada L.",
          nickname: "countess",
          role_ids: [role.id],
          joined_at: 1_600_000_000,
          supplemental: { source_invite_code: "welcome", inviter_id: user.id, join_source_type: 1 },
          is_bot: false
        }],
        page_result_count: 1,
        total_result_count: 1,
        indexing: false
      })
    }))

  it.effect("returns the total of all pages, and null for fields without a value", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      yield* Fixtures.member(guild.id, (yield* Fixtures.person()).id)
      const { json } = yield* send(pathOf(guild.id), { bot: token, body: { limit: 1 } })
      expect(json).toMatchObject({
        members: [{
          global_name: null,
          nickname: null,
          supplemental: { source_invite_code: null, inviter_id: null, join_source_type: null }
        }],
        page_result_count: 1,
        total_result_count: 2
      })
    }))

  it.effect("finds no member by a role that is not an id", () =>
    Effect.gen(function*() {
      const { guild, token, user } = yield* Fixtures.botWithGuild
      const role = yield* Fixtures.role(guild.id, 0n)
      yield* Fixtures.member(guild.id, user.id, { roleIds: [role.id] })
      const response = yield* send(pathOf(guild.id), { bot: token, body: { role_ids: [role.id, "moderators"] } })
      expect(response.json).toMatchObject({ members: [], page_result_count: 0, total_result_count: 0 })
    }))

  it.effect("answers 404 to a caller outside the guild, and 403 to one who may not manage it", () =>
    Effect.gen(function*() {
      const { guild } = yield* Fixtures.botWithGuild
      const { token, user } = yield* Fixtures.bot
      expectError(yield* send(pathOf(guild.id), { bot: token, body: {} }), 404, "UNKNOWN_GUILD")
      const role = yield* Fixtures.role(guild.id, KNOWN.MANAGE_CHANNELS | KNOWN.KICK_MEMBERS)
      yield* Fixtures.member(guild.id, user.id, { roleIds: [role.id] })
      expectError(yield* send(pathOf(guild.id), { bot: token, body: {} }), 403, "MISSING_PERMISSIONS")
    }))

  it.effect.each([
    `{"joined_at_gte":-9223372036854775808,"joined_at_lte":9223372036854775807,"limit":25.0,"offset":1e0}`,
    { limit: 1, offset: 0, join_source_type: [-2_147_483_648, 2_147_483_647], sort_by: "joinedAt", sort_order: "asc" },
    {
      query: "🦊".repeat(100),
      limit: 100,
      offset: 9_007_199_254_740_991,
      role_ids: Array.from({ length: 10 }, String),
      join_source_type: Array.from({ length: 10 }, (_, index) => index),
      source_invite_code: Array.from({ length: 10 }, String),
      sort_by: "relevance",
      sort_order: "desc"
    }
  ])("accepts values at their bounds: %j", (body) =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      expect((yield* send(path, { bot: token, body })).status).toBe(200)
    }))

  it.effect.each(
    [
      ["query", "🦊".repeat(101), "STRING_LENGTH_INVALID"],
      ["query", 5, "INVALID_FORMAT"],
      ["query", null, "INVALID_FORMAT"],
      ["limit", 0, "NUMBER_OUT_OF_RANGE"],
      ["limit", 101, "NUMBER_OUT_OF_RANGE"],
      ["limit", 25.5, "INVALID_FORMAT"],
      ["limit", "25", "INVALID_FORMAT"],
      ["offset", -1, "NUMBER_OUT_OF_RANGE"],
      ["offset", 9_007_199_254_740_992, "NUMBER_OUT_OF_RANGE"],
      ["role_ids", Array.from({ length: 11 }, String), "TOO_MANY_ITEMS"],
      ["role_ids", "1", "INVALID_FORMAT"],
      ["join_source_type", Array.from({ length: 11 }, (_, index) => index), "TOO_MANY_ITEMS"],
      ["source_invite_code", Array.from({ length: 11 }, String), "TOO_MANY_ITEMS"],
      ["joined_at_gte", "yesterday", "INVALID_FORMAT"],
      ["joined_at_lte", 1.5, "INVALID_FORMAT"],
      ["user_created_at_gte", 1e19, "NUMBER_OUT_OF_RANGE"],
      ["user_created_at_lte", -1e19, "NUMBER_OUT_OF_RANGE"],
      ["is_bot", "true", "INVALID_FORMAT"],
      ["sort_by", "joined_at", "INVALID_ENUM_VALUE"],
      ["sort_order", "DESC", "INVALID_ENUM_VALUE"],
      ["sort_order", 1, "INVALID_FORMAT"]
    ] as const
  )("refuses values out of bounds or of a wrong type: %s %j", ([name, value, code]) =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      expectViolations(yield* send(path, { bot: token, body: { [name]: value } }), `${name}: ${code}`)
    }))

  it.effect("reports all violations at once, those of items by their index", () =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      const response = yield* send(path, {
        bot: token,
        body: {
          limit: 0,
          role_ids: ["1", 2, ...Array.from({ length: 1_000 }, () => "1")],
          join_source_type: [1, "2", 2_147_483_648]
        }
      })
      expectViolations(
        response,
        "limit: NUMBER_OUT_OF_RANGE",
        "role_ids: TOO_MANY_ITEMS",
        "role_ids.1: INVALID_FORMAT",
        "join_source_type.1: INVALID_FORMAT",
        "join_source_type.2: NUMBER_OUT_OF_RANGE"
      )
    }))

  it.effect("reports the bounds of 64 bits for a number that is just beyond them", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect(at((yield* search(`{"joined_at_gte":9223372036854775808}`)).json, "errors")).toEqual([{
        path: "joined_at_gte",
        message: "must be -9223372036854775808 to 9223372036854775807",
        code: "NUMBER_OUT_OF_RANGE"
      }])
    }))

  it.effect.each([["007", "INVALID_SNOWFLAKE_FORMAT"], ["9223372036854775808", "SNOWFLAKE_OUT_OF_RANGE"]] as const)(
    "refuses a guild id that is not a snowflake, before the body is read: %s",
    ([guildId, code]) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        expectViolations(yield* send(pathOf(guildId), { bot: token, body: "{" }), `guild_id: ${code}`)
      })
  )

  it.effect("checks the body before the permission", () =>
    Effect.gen(function*() {
      const { guild } = yield* Fixtures.botWithGuild
      const { token } = yield* Fixtures.bot
      const response = yield* send(pathOf(guild.id), { bot: token, body: { limit: 0 } })
      expectViolations(response, "limit: NUMBER_OUT_OF_RANGE")
    }))
})
