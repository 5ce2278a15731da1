import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import { join } from "node:path"
import { disagreements } from "./Agreement.ts"
import { type Community, type CommunityMember, create } from "./community/Community.ts"
import * as Guilds from "./community/Guilds.ts"
import { make as makeRandom } from "./community/SeededRandom.ts"
import { store } from "./community/Store.ts"
import { drawAll, type DrawnClass } from "./DrawnQueries.ts"
import * as IndexItself from "./index-cost/IndexItself.ts"
import type { AskedGuild } from "./index-cost/Restart.ts"
import * as Peers from "./Peers.ts"
import { type Plan, SMALL_GUILD } from "./Plan.ts"
import { QUERY_CLASSES } from "./QueryClasses.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"

const COMMUNITY_SEED = 4
const QUERY_SEED = 7
const CHANGES_SEED = 11

/** All that is to be measured at one number of members. */
export interface Prepared {
  /** The service's database, where nobody has searched yet. */
  readonly serviceFile: string
  readonly large: AskedGuild
  readonly small: ReadonlyArray<AskedGuild>
  readonly drawn: ReadonlyArray<DrawnClass>
  readonly build: IndexItself.IndexBuild
  readonly index: MemberIndex
  /** Those who are going to change. */
  readonly changing: ReadonlyArray<CommunityMember>
  readonly peers: Peers.Peers
}

/** Queries with their right answers; the answers of a small community are held to the specification itself. */
const drawQueries = (community: Community, plan: Plan): ReadonlyArray<DrawnClass> => {
  const drawn = drawAll(QUERY_CLASSES, community, plan.queriesPerClass, QUERY_SEED)
  const wrong = disagreements(community, drawn, plan.heldToSpecification)
  if (wrong.length > 0) {
    throw new Error(`The benchmark's own answers are not those of the specification: ${wrong.join("; ")}`)
  }
  return drawn
}

const some = (members: ReadonlyArray<CommunityMember>, howMany: number): ReadonlyArray<CommunityMember> => {
  const random = makeRandom(CHANGES_SEED)
  return Array.from({ length: howMany }, () => random.below(members.length)).flatMap((at) => members.slice(at, at + 1))
}

const asked = ({ guildId, ownerId }: AskedGuild): AskedGuild => ({ guildId, ownerId })

/**
 * Makes up a community and puts it wherever it is searched. The community itself is gone afterwards: a million objects
 * would have the garbage collector hold up whatever is measured.
 */
export const prepare = async (
  plan: Plan,
  directory: string,
  postgres: PostgresConnection | undefined,
  log: (line: string) => void
): Promise<Prepared> => {
  const serviceFile = join(directory, "service.db")
  log("making up the community")
  // In a process of its own: nothing is measured yet, and a second core would have nothing to do.
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
    large: asked(Guilds.large(community)),
    small: Guilds.small(community, plan.smallGuilds, SMALL_GUILD).map(asked),
    drawn,
    ...IndexItself.build(community),
    changing: some(community.members, plan.changes),
    peers
  }
}
