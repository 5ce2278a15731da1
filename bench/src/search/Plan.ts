import type { Budget } from "./SearchRounds.ts"

/** The measurements at one number of members. */
export interface Plan extends Budget {
  readonly members: number
  readonly queriesPerClass: number
  /** Queries of each class whose expected results are checked against the specification itself, which is slow. */
  readonly checkedAgainstSpecification: number
  /** Guilds of `SMALL_GUILD` members beside the large one. */
  readonly smallGuilds: number
  /** Members changed in the index, and durably in the service. */
  readonly changes: number
  readonly durableChanges: number
}

/** How many members a small guild has. */
export const SMALL_GUILD = 10_000

/** For a check that everything works. */
export const QUICK: ReadonlyArray<Plan> = [
  {
    members: 10_000,
    queriesPerClass: 6,
    checkedAgainstSpecification: 1,
    rounds: 4,
    millisPerClass: 30,
    atLeast: 2,
    smallGuilds: 2,
    changes: 300,
    durableChanges: 20
  }
]

/** For the results: some four minutes, most of them for a million members. */
export const FULL: ReadonlyArray<Plan> = [
  {
    members: 10_000,
    queriesPerClass: 12,
    checkedAgainstSpecification: 1,
    rounds: 20,
    millisPerClass: 40,
    atLeast: 2,
    smallGuilds: 10,
    changes: 1000,
    durableChanges: 50
  },
  {
    members: 100_000,
    queriesPerClass: 8,
    checkedAgainstSpecification: 0,
    rounds: 20,
    millisPerClass: 60,
    atLeast: 2,
    smallGuilds: 10,
    changes: 1000,
    durableChanges: 50
  },
  {
    members: 1_000_000,
    queriesPerClass: 6,
    checkedAgainstSpecification: 0,
    rounds: 40,
    millisPerClass: 200,
    atLeast: 2,
    smallGuilds: 10,
    changes: 2000,
    durableChanges: 100
  }
]
