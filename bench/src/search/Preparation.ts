import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import { join } from "node:path"
import { make as makeRandom } from "../report/SeededRandom.ts"
import { disagreements } from "./Agreement.ts"
import { type Community, type CommunityMember, create } from "./community/Community.ts"
import * as Guilds from "./community/Guilds.ts"
import { store } from "./community/Store.ts"
import { drawAll, type DrawnClass } from "./DrawnQueries.ts"
import * as IndexItself from "./index-cost/IndexItself.ts"
import type { SearchedGuild } from "./index-cost/Restart.ts"
import * as Peers from "./Peers.ts"
import { type Plan, SMALL_GUILD } from "./Plan.ts"
import { QUERY_CLASSES } from "./QueryClasses.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"

const COMMUNITY_SEED = 4
const QUERY_SEED = 7
const CHANGES_SEED = 11

/** The subjects and the queries at one number of members. */
export interface Prepared {
  /** The service's database, without any search so far. */
  readonly serviceFile: string
  readonly large: SearchedGuild
  readonly small: ReadonlyArray<SearchedGuild>
  readonly drawn: ReadonlyArray<DrawnClass>
  readonly build: IndexItself.IndexBuild
  readonly index: MemberIndex
  /** The members that will change. */
  readonly changing: ReadonlyArray<CommunityMember>
  readonly peers: Peers.Peers
}

/** Queries with their correct results, which are checked against the specification itself if the community is small. */
const drawQueries = (community: Community, plan: Plan): ReadonlyArray<DrawnClass> => {
  const drawn = drawAll(QUERY_CLASSES, community, plan.queriesPerClass, QUERY_SEED)
  const wrong = disagreements(community, drawn, plan.checkedAgainstSpecification)
  if (wrong.length > 0) {
    throw new Error(`The benchmark's expected results are not those of the specification: ${wrong.join("; ")}`)
  }
  return drawn
}

const some = (members: ReadonlyArray<CommunityMember>, howMany: number): ReadonlyArray<CommunityMember> => {
  const random = makeRandom(CHANGES_SEED)
  return Array.from({ length: howMany }, () => random.below(members.length)).flatMap((at) => members.slice(at, at + 1))
}

const searched = ({ guildId, ownerId }: SearchedGuild): SearchedGuild => ({ guildId, ownerId })

/**
 * Generates a community and loads it into all subjects. Then releases the community itself: with a million objects, garbage
 * collection would slow down the measurements.
 */
export const prepare = async (
  plan: Plan,
  directory: string,
  postgres: PostgresConnection | undefined,
  log: (line: string) => void
): Promise<Prepared> => {
  const serviceFile = join(directory, "service.db")
  log("generating the community")
  // In another process, to use a second core: nothing is measured yet.
  const stored = store({
    filename: serviceFile,
    members: plan.members,
    seed: COMMUNITY_SEED,
    smallGuilds: plan.smallGuilds,
    smallGuild: SMALL_GUILD
  })
  const community = create(plan.members, COMMUNITY_SEED)
  log("drawing queries")
  const drawn = drawQueries(community, plan)
  log("loading the databases")
  const peers = await Peers.load(community, directory, postgres)
  await stored
  log("building the index")
  return {
    serviceFile,
    large: searched(Guilds.large(community)),
    small: Guilds.small(community, plan.smallGuilds, SMALL_GUILD).map(searched),
    drawn,
    ...IndexItself.build(community),
    changing: some(community.members, plan.changes),
    peers
  }
}
