import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fromMember } from "../src/IndexedMember.ts"
import type { IndexLimits } from "../src/IndexLimits.ts"
import type { MemberIndex } from "../src/MemberIndex.ts"
import { MemberIndexBuilder } from "../src/MemberIndexBuilder.ts"
import { EPOCH, member, members, query, runs, SMALL, specified, userId } from "./Generated.ts"

/** An index with the members that it must contain. */
interface ModelledIndex {
  readonly index: MemberIndex
  readonly members: Map<UserId, GuildMember>
}

const modelled = (all: ReadonlyArray<GuildMember>, limits: IndexLimits = SMALL): ModelledIndex => {
  const making = new MemberIndexBuilder(EPOCH, limits)
  for (const one of all) making.add(fromMember(one))
  return { index: making.finish(), members: new Map(all.map((one) => [one.userId, one])) }
}

const set = ({ index, members: model }: ModelledIndex, one: GuildMember): void => {
  index.set(fromMember(one))
  model.set(one.userId, one)
}

const remove = ({ index, members: model }: ModelledIndex, id: UserId): void => {
  index.remove(id)
  model.delete(id)
}

const expectSame = ({ index, members: model }: ModelledIndex, asked: MemberQuery): void => {
  expect(index.search(asked)).toEqual(specified([...model.values()], asked))
  expect(index.size()).toBe(model.size)
}

const maintainAll = (index: MemberIndex): void => {
  let isLeft = true
  while (isLeft) isLeft = index.maintain()
}

type Change = (now: ModelledIndex) => void

/** One of the existing members, chosen by any number. */
const oneOf = ({ members: model }: ModelledIndex, number: number): GuildMember | undefined =>
  [...model.values()][number % Math.max(1, model.size)]

const anyNumber = FastCheck.nat({ max: 10_000 })

const change: FastCheck.Arbitrary<Change> = FastCheck.oneof(
  { weight: 4, arbitrary: member.map((one): Change => (now) => set(now, one)) },
  {
    weight: 6,
    arbitrary: FastCheck.record({ number: anyNumber, as: member }).map(({ as, number }): Change => (now) => {
      const one = oneOf(now, number)
      if (one !== undefined) set(now, { ...as, userId: one.userId, joinedAt: one.joinedAt })
    })
  },
  {
    weight: 3,
    arbitrary: anyNumber.map((number): Change => (now) => {
      const one = oneOf(now, number)
      if (one !== undefined) remove(now, one.userId)
    })
  },
  { weight: 1, arbitrary: userId.map((id): Change => (now) => remove(now, id)) },
  {
    weight: 8,
    arbitrary: FastCheck.nat({ max: 60 }).map((pieces): Change => ({ index }) => {
      for (let piece = 0; piece < pieces; piece += 1) index.maintain()
    })
  },
  { weight: 8, arbitrary: query.map((asked): Change => (now) => expectSame(now, asked)) }
)

/** The members with times of joining after all others, one after another. */
const joining = (all: ReadonlyArray<GuildMember>): ReadonlyArray<GuildMember> =>
  all.map((one, index) => ({ ...one, joinedAt: 100 + index }))

const everyone = MemberQuery.make({ limit: 100 })

describe("an index that is changed", () => {
  it.prop("has the results of the specification after any changes and steps of maintenance", {
    all: members(150),
    changes: FastCheck.array(change, { minLength: 60, maxLength: 120, size: "max" })
  }, ({ all, changes }) => {
    const now = modelled(all)
    for (const one of changes) one(now)
    expectSame(now, everyone)
  }, runs(15))

  it.prop("has the same results after its maintenance", {
    all: members(150),
    others: FastCheck.array(member, { minLength: 20, maxLength: 100, size: "max" }),
    queries: FastCheck.array(query, { minLength: 10, maxLength: 10 })
  }, ({ all, others, queries }) => {
    const now = modelled(all)
    for (const one of others) set(now, one)
    maintainAll(now.index)
    for (const asked of queries) expectSame(now, asked)
  }, runs(15))

  it.prop("accepts many members who join one after the other", {
    all: members(300).map(joining),
    queries: FastCheck.array(query, { minLength: 3, maxLength: 3 })
  }, ({ all, queries }) => {
    const now = modelled([])
    for (const one of all) {
      set(now, one)
      now.index.maintain()
    }
    for (const asked of queries) expectSame(now, asked)
  }, runs(15))

  it.prop("accepts new members after the removal of all", { all: members(100) }, ({ all }) => {
    const now = modelled(all)
    for (const one of all) remove(now, one.userId)
    expectSame(now, everyone)
    maintainAll(now.index)
    for (const one of all) set(now, one)
    expectSame(now, everyone)
  }, runs(10))
})
