import { Effect } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

const pathOf = (guildId: string): string => `/v1/guilds/${guildId}/members-search`

/** The valid and invalid requests of a member search: the bounds of the reference, and the order of checks. */
onMemory("The requests of POST /v1/guilds/{guild_id}/members-search", (it) => {
  it.effect.each([
    { query: "x".repeat(100) },
    { query: "🦊".repeat(100) },
    { limit: 1 },
    { limit: 100 },
    { offset: 0 },
    { offset: 9_007_199_254_740_991 },
    { role_ids: Array.from({ length: 10 }, String) },
    { join_source_type: Array.from({ length: 10 }, (_, index) => index) },
    { join_source_type: [-2_147_483_648, 2_147_483_647] },
    { source_invite_code: Array.from({ length: 10 }, String) },
    { sort_by: "joinedAt", sort_order: "asc" },
    { sort_by: "relevance", sort_order: "desc" }
  ])("accepts values at their bounds: %j", (body) =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      expect((yield* send(pathOf(guild.id), { bot: token, body })).status).toBe(200)
    }))

  it.effect.each(
    [
      ["query", "x".repeat(101), "STRING_LENGTH_INVALID"],
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
      const { guild, token } = yield* Fixtures.botWithGuild
      const response = yield* send(pathOf(guild.id), { bot: token, body: { [name]: value } })
      expectViolations(response, `${name}: ${code}`)
    }))

  it.effect("accepts integers in any JSON form", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const response = yield* send(pathOf(guild.id), { bot: token, body: `{"limit":25.0,"offset":1e0}` })
      expect(response.status).toBe(200)
    }))

  it.effect.each(["9223372036854775808", "-9223372036854775809", "9223372036854775808.0", "9.223372036854775808e18"])(
    "refuses a number that is just beyond 64 bits, and reports the bounds: %s",
    (number) =>
      Effect.gen(function*() {
        const { guild, token } = yield* Fixtures.botWithGuild
        const response = yield* send(pathOf(guild.id), { bot: token, body: `{"joined_at_gte":${number}}` })
        expectError(response, 400, "INVALID_FORM_BODY")
        expect(at(response.json, "errors")).toEqual([{
          path: "joined_at_gte",
          message: "must be -9223372036854775808 to 9223372036854775807",
          code: "NUMBER_OUT_OF_RANGE"
        }])
      })
  )

  it.effect("reports all violations at once, those of items by their index", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const response = yield* send(pathOf(guild.id), {
        bot: token,
        body: {
          query: "x".repeat(101),
          limit: 0,
          role_ids: ["1", 2, ...Array.from({ length: 9 }, String)],
          join_source_type: [1, "2", 2_147_483_648],
          is_bot: "yes",
          sort_by: "age"
        }
      })
      expectViolations(
        response,
        "query: STRING_LENGTH_INVALID",
        "limit: NUMBER_OUT_OF_RANGE",
        "role_ids: TOO_MANY_ITEMS",
        "role_ids.1: INVALID_FORMAT",
        "join_source_type.1: INVALID_FORMAT",
        "join_source_type.2: NUMBER_OUT_OF_RANGE",
        "is_bot: INVALID_FORMAT",
        "sort_by: INVALID_ENUM_VALUE"
      )
    }))

  it.effect.each([[], "text", 5, null, true])(
    "refuses a body that is not an object: %j",
    (body) =>
      Effect.gen(function*() {
        const { guild, token } = yield* Fixtures.botWithGuild
        const response = yield* send(pathOf(guild.id), { bot: token, body: JSON.stringify(body) })
        expectViolations(response, "root: INVALID_FORMAT")
      })
  )

  it.effect.each(
    [
      ["abc", "INVALID_SNOWFLAKE_FORMAT"],
      ["007", "INVALID_SNOWFLAKE_FORMAT"],
      ["-1", "INVALID_SNOWFLAKE_FORMAT"],
      ["1%202", "INVALID_SNOWFLAKE_FORMAT"],
      ["9223372036854775808", "SNOWFLAKE_OUT_OF_RANGE"],
      ["9".repeat(500), "SNOWFLAKE_OUT_OF_RANGE"]
    ] as const
  )("refuses a guild id that is not a snowflake: %s", ([guildId, code]) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectViolations(yield* send(pathOf(guildId), { bot: token, body: {} }), `guild_id: ${code}`)
    }))

  it.effect("checks credentials before parameters and body", () =>
    Effect.gen(function*() {
      expectError(yield* send(pathOf("abc"), { body: "{" }), 401, "UNAUTHORIZED")
    }))

  it.effect("checks parameters before the body", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectViolations(
        yield* send(pathOf("abc"), { bot: token, body: "{" }),
        "guild_id: INVALID_SNOWFLAKE_FORMAT"
      )
    }))

  it.effect("checks the body before the permission", () =>
    Effect.gen(function*() {
      const { guild } = yield* Fixtures.botWithGuild
      const { token } = yield* Fixtures.bot
      expectViolations(
        yield* send(pathOf(guild.id), { bot: token, body: { limit: 0 } }),
        "limit: NUMBER_OUT_OF_RANGE"
      )
    }))
})
