import * as Samples from "@community-messaging/domain-contract/Samples"
import { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck } from "effect"
import { decodePage, decodeSearch, encodePage, encodeSearch } from "../../src/cluster/GuildSearch.ts"

const SEED = 43

describe("A search between servers", () => {
  it("asks the other server the same, whatever is asked", () => {
    const guildId = Samples.guild().id
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(MemberQuery), (query) => {
        const text = Either.getOrThrow(encodeSearch({ guildId, query }))
        expect(Either.getOrThrow(decodeSearch(text))).toStrictEqual({ guildId, query })
      }),
      { seed: SEED }
    )
  })

  it("brings back the same page, whatever is found", () => {
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(MemberPage), (page) => {
        expect(Either.getOrThrow(decodePage(Either.getOrThrow(encodePage(page))))).toStrictEqual(page)
      }),
      { seed: SEED }
    )
  })

  it("is not understood when it is another text", () => {
    for (const text of ["", "{}", "[]", `{"guildId":"1"}`, `{"guildId":1,"query":{}}`]) {
      expect(Either.isLeft(decodeSearch(text))).toBe(true)
    }
  })
})
