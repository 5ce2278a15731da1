import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import type { MemberSearch } from "@community-messaging/client/Resources"
import { query } from "@community-messaging/domain-contract/SearchSamples"
import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { toResult } from "@community-messaging/http-adapter/guild-members/Handlers"
import { Effect, FastCheck, Option } from "effect"
import { isDeepStrictEqual } from "node:util"
import { type Community, GUILDS } from "./Community.ts"
import type { FleetServer } from "./Fleet.ts"
import * as Stored from "./Stored.ts"

const SEED = 13

const field = (name: keyof MemberSearch, value: Option.Option<boolean | number>) =>
  Option.match(value, { onNone: () => ({}), onSome: (some) => ({ [name]: some }) })

/** The body of a request for this query. */
const bodyOf = (wanted: MemberQuery): MemberSearch => ({
  query: wanted.text,
  limit: wanted.limit,
  offset: wanted.offset,
  role_ids: wanted.roleIds,
  join_source_type: wanted.joinSourceTypes,
  source_invite_code: wanted.sourceInviteCodes,
  sort_by: wanted.sortBy,
  sort_order: wanted.sortOrder,
  ...field("joined_at_gte", wanted.joinedAtGte),
  ...field("joined_at_lte", wanted.joinedAtLte),
  ...field("is_bot", wanted.isBot),
  ...field("user_created_at_gte", wanted.userCreatedAtGte),
  ...field("user_created_at_lte", wanted.userCreatedAtLte)
})

/** Compares the results of every server with the specification over the stored members, for `queries` of each guild. */
export const compare = (servers: ReadonlyArray<FleetServer>, { bot }: Community, queries: number) =>
  Effect.gen(function*() {
    const epoch = yield* SnowflakeEpoch
    const wrong: Array<string> = []
    let hits = 0
    for (const guildId of GUILDS) {
      const members = yield* Stored.members(guildId)
      const drawn = FastCheck.sample(query, { numRuns: queries, seed: SEED }).map((wanted) => ({
        body: bodyOf(wanted),
        specified: toResult(guildId, MemberMatch.search(members, wanted, epoch))
      }))
      for (const { origin } of servers) {
        const { guildMembers } = yield* CommunityMessaging.make({ baseUrl: origin, credentials: { bot } })
        for (const { body, specified } of drawn) {
          const answer = yield* Effect.repeat(guildMembers.search({ path: { guild_id: guildId }, body }), {
            while: ({ indexing }) => indexing
          })
          hits += answer.members.length
          if (!isDeepStrictEqual(answer, specified)) wrong.push(`${origin}, guild ${guildId}: ${JSON.stringify(body)}`)
        }
      }
    }
    return { wrong, hits, comparisons: GUILDS.length * servers.length * queries }
  })
