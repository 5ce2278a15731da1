import { normalise } from "@community-messaging/domain/member-search/MemberText"
import type { SeededRandom } from "../../report/SeededRandom.ts"
import { memoised } from "./Memoised.ts"
import { CLANS, DECORATIONS, FAMILY, GIVEN, OTHER_SCRIPTS, WORDS } from "./NameStock.ts"

/** The names of a member. */
export interface Names {
  readonly username: string
  readonly globalName: string | undefined
  readonly nickname: string | undefined
}

interface Person {
  readonly given: string
  readonly family: string
}

/** The name as it looks in a username. */
const handle = memoised((name: string): string => normalise(name).replace(/[^a-z0-9]/g, ""))

const digits = (random: SeededRandom): string =>
  random.chance(0.3) ? "" : String(random.below(random.pick([10, 100, 100, 1000, 10_000, 10_000])))

const username = (random: SeededRandom, { family, given }: Person): string => {
  const one = random.pickZipf(WORDS)
  const other = random.pick(WORDS)
  switch (random.below(8)) {
    case 0:
    case 1:
      return `${one}${other}${digits(random)}`
    case 2:
      return `${one}_${other}_${digits(random)}`
    case 3:
      return `${one}.${handle(given)}${digits(random)}`
    case 4:
      return `${handle(given)}.${handle(family)}${digits(random)}`
    case 5:
      return `${handle(given)}${handle(family)}${random.below(100_000)}`
    case 6:
      return `${other}${random.below(100_000)}`
    default:
      return `${handle(given)}${digits(random)}`
  }
}

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

const display = (random: SeededRandom, { family, given }: Person): string => {
  const kind = random.fraction()
  if (kind < 0.35) return `${given} ${family}`
  if (kind < 0.6) return given
  if (kind < 0.75) return capitalised(random.pickZipf(WORDS)) + capitalised(random.pick(WORDS))
  if (kind < 0.85) return random.pickZipf(OTHER_SCRIPTS)
  if (kind < 0.93) return `${random.pick(DECORATIONS)} ${given} ${random.pick(DECORATIONS)}`
  return `${capitalised(random.pick(WORDS))} ${capitalised(random.pick(WORDS))}`
}

const nickname = (random: SeededRandom, person: Person): string => {
  const kind = random.fraction()
  if (kind < 0.3) return `[${random.pickZipf(CLANS)}] ${person.given}`
  if (kind < 0.5) return `${person.given} | ${capitalised(random.pick(WORDS))}`
  return display(random, person)
}

/** Names as in a large community: a few are frequent, most are rare; about 30 % of the members have a nickname. */
export const draw = (random: SeededRandom): Names => {
  const person = { given: random.pickZipf(GIVEN), family: random.pickZipf(FAMILY) }
  return {
    username: username(random, person),
    globalName: random.chance(0.75) ? display(random, person) : undefined,
    nickname: random.chance(0.3) ? nickname(random, person) : undefined
  }
}
