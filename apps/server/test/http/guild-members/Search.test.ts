import { KNOWN } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { type HttpResponse, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onEachStorage, type TestServices } from "../TestServer.ts"

const pathOf = (guildId: string): string => `/v1/guilds/${guildId}/members-search`

const userIds = (response: HttpResponse): ReadonlyArray<unknown> => {
  const members = at(response.json, "members")
  return Array.isArray(members) ? members.map((member: unknown) => at(member, "user_id")) : []
}

/** A guild of a bot, with three other members: their names begin with the guild's own prefix. */
const guildOfThree = Effect.gen(function*() {
  const owner = yield* Fixtures.botWithGuild
  const role = yield* Fixtures.role(owner.guild.id, 0n)
  const other = yield* Fixtures.role(owner.guild.id, 0n)
  const join = (username: string, joinedAt: number, membership: Parameters<typeof Fixtures.member>[2]) =>
    Effect.gen(function*() {
      const user = yield* Fixtures.person({ username })
      yield* Fixtures.member(owner.guild.id, user.id, { joinedAt, ...membership })
      return user.id
    })
  const first = yield* join("alpha", 1_000, {
    roleIds: [role.id, other.id],
    joinSourceType: Option.some(1),
    sourceInviteCode: Option.some("one")
  })
  const second = yield* join("alphabet", 2_000, {
    roleIds: [role.id],
    joinSourceType: Option.some(6),
    sourceInviteCode: Option.some("two")
  })
  const third = yield* join("beta", 3_000, {})
  const search = (body: object) => send(pathOf(owner.guild.id), { bot: owner.token, body })
  return { ...owner, role, other, first, second, third, search }
})

onEachStorage("POST /v1/guilds/{guild_id}/members-search", (it) => {
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

  it.effect("returns null for fields without a value", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const response = yield* send(pathOf(guild.id), { bot: token, body: {} })
      expect(response.json).toMatchObject({
        members: [{
          global_name: null,
          nickname: null,
          supplemental: { source_invite_code: null, inviter_id: null, join_source_type: null }
        }]
      })
    }))

  it.effect("finds the latest members first by default", () =>
    Effect.gen(function*() {
      const { first, search, second, third } = yield* guildOfThree
      expect(userIds(yield* search({ is_bot: false }))).toEqual([third, second, first])
      expect(userIds(yield* search({ is_bot: false, sort_by: "joinedAt", sort_order: "asc" })))
        .toEqual([first, second, third])
    }))

  it.effect("finds the best matches first by relevance", () =>
    Effect.gen(function*() {
      const { first, search, second } = yield* guildOfThree
      const body = { query: "Alpha", sort_by: "relevance" }
      expect(userIds(yield* search(body))).toEqual([first, second])
      expect(userIds(yield* search({ ...body, sort_order: "asc" }))).toEqual([second, first])
    }))

  it.effect("returns the total of all pages on each page", () =>
    Effect.gen(function*() {
      const { search, second } = yield* guildOfThree
      const page = yield* search({ is_bot: false, limit: 1, offset: 1 })
      expect(userIds(page)).toEqual([second])
      expect(page.json).toMatchObject({ page_result_count: 1, total_result_count: 3 })
      const beyond = yield* search({ is_bot: false, offset: 1_000 })
      expect(beyond.json).toMatchObject({ members: [], page_result_count: 0, total_result_count: 3 })
    }))

  it.effect("finds members who have all roles", () =>
    Effect.gen(function*() {
      const { first, other, role, search, second } = yield* guildOfThree
      expect(userIds(yield* search({ role_ids: [role.id] }))).toEqual([second, first])
      expect(userIds(yield* search({ role_ids: [role.id, other.id] }))).toEqual([first])
    }))

  it.effect("finds no member by a role that is not an id", () =>
    Effect.gen(function*() {
      const { role, search } = yield* guildOfThree
      const response = yield* search({ role_ids: [role.id, "moderators"] })
      expect(response.json).toMatchObject({ members: [], page_result_count: 0, total_result_count: 0 })
    }))

  it.effect("finds members by any of the join sources and by any of the invites", () =>
    Effect.gen(function*() {
      const { first, search, second } = yield* guildOfThree
      expect(userIds(yield* search({ join_source_type: [1, 6] }))).toEqual([second, first])
      expect(userIds(yield* search({ join_source_type: [6] }))).toEqual([second])
      expect(userIds(yield* search({ source_invite_code: ["one", "none"] }))).toEqual([first])
    }))

  it.effect("finds members by the time when they joined, including the bounds", () =>
    Effect.gen(function*() {
      const { first, search, second } = yield* guildOfThree
      expect(userIds(yield* search({ joined_at_gte: 1_000, joined_at_lte: 2_000 }))).toEqual([second, first])
      expect(userIds(yield* search({ joined_at_gte: 1_001, joined_at_lte: 2_000 }))).toEqual([second])
      expect(userIds(yield* search({ joined_at_gte: 2_000, joined_at_lte: 1_000 }))).toEqual([])
    }))

  it.effect("accepts timestamps of 64 bits", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* guildOfThree
      const body = `{"joined_at_gte":-9223372036854775808,"joined_at_lte":9223372036854775807,"is_bot":false}`
      const response = yield* send(pathOf(guild.id), { bot: token, body })
      expect(response.json).toMatchObject({ total_result_count: 3 })
    }))

  it.effect("finds accounts by the time of their creation", () =>
    Effect.gen(function*() {
      const { search } = yield* guildOfThree
      expect(yield* search({ user_created_at_lte: 1_420_070_399 })).toMatchObject({ json: { total_result_count: 0 } })
      expect(yield* search({ user_created_at_gte: 1_420_070_400 })).toMatchObject({ json: { total_result_count: 4 } })
    }))

  it.effect("finds bots alone, or none", () =>
    Effect.gen(function*() {
      const { search, user } = yield* guildOfThree
      expect(userIds(yield* search({ is_bot: true }))).toEqual([user.id])
    }))

  it.effect("ignores unknown members", () =>
    Effect.gen(function*() {
      const { search } = yield* guildOfThree
      expect((yield* search({ colour: "red", nested: { limit: 0 } })).status).toBe(200)
    }))

  it.effect("answers 404 to a caller outside the guild", () =>
    Effect.gen(function*() {
      const { guild } = yield* Fixtures.botWithGuild
      const { token } = yield* Fixtures.bot
      expectError(yield* send(pathOf(guild.id), { bot: token, body: {} }), 404, "UNKNOWN_GUILD")
    }))

  const statusWith = (permissions: bigint): Effect.Effect<HttpResponse, never, TestServices> =>
    Effect.gen(function*() {
      const { guild } = yield* Fixtures.botWithGuild
      const { token, user } = yield* Fixtures.bot
      const role = yield* Fixtures.role(guild.id, permissions)
      yield* Fixtures.member(guild.id, user.id, { roleIds: [role.id] })
      return yield* send(pathOf(guild.id), { bot: token, body: {} })
    })

  it.effect("answers 403 to a member who may not manage the guild", () =>
    Effect.gen(function*() {
      expectError(yield* statusWith(KNOWN.MANAGE_CHANNELS | KNOWN.KICK_MEMBERS), 403, "MISSING_PERMISSIONS")
    }))
})
