import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fromMember } from "../src/IndexedMember.ts"
import { INDEX_LIMITS, type IndexLimits } from "../src/IndexLimits.ts"
import { builder } from "../src/MemberIndexBuilder.ts"
import { EPOCH, members, query, runs, SMALL, specified } from "./Generated.ts"

const indexOf = (all: ReadonlyArray<GuildMember>, limits: IndexLimits) => {
  const making = builder({ epoch: EPOCH, limits })
  for (const member of all) making.add(fromMember(member))
  return making.finish()
}

const queries = FastCheck.array(query, { minLength: 30, maxLength: 30 })

describe("an index answers as the specification does", () => {
  it.prop("of several small segments", { all: members(200), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, SMALL)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(25))

  it.prop("of one segment", { all: members(300), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, INDEX_LIMITS)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(12))
})
