import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserId } from "@community-messaging/domain/account/User"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck, Option, Schema } from "effect"
import { decodeAnswer, decodeQuestion, encodeAnswer, encodeQuestion } from "../../src/cluster/GuildSearch.ts"

const SEED = 43

const guildId = Samples.guild().id

const question = { guildId, query: MemberQuery.make({}), mismatch: Option.none() }

const optionOf = <A>(values: FastCheck.Arbitrary<A>) =>
  FastCheck.option(values, { nil: undefined }).map(Option.fromNullable)

const mismatches = FastCheck.record({
  position: FastCheck.nat(),
  build: FastCheck.nat(),
  isChanged: FastCheck.boolean()
})

const found = FastCheck.record({
  userIds: FastCheck.array(Arbitrary.make(UserId), { maxLength: 100 }),
  total: FastCheck.nat(),
  position: FastCheck.nat(),
  build: FastCheck.nat()
})

describe("A search between servers", () => {
  it("sends the same question to the other server, for every question", () => {
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(MemberQuery), optionOf(mismatches), (query, mismatch) => {
        const text = Either.getOrThrow(encodeQuestion({ guildId, query, mismatch }))
        expect(Either.getOrThrow(decodeQuestion(text))).toStrictEqual({ guildId, query, mismatch })
      }),
      { seed: SEED }
    )
  })

  it("returns the same answer, for every answer", () => {
    FastCheck.assert(
      FastCheck.property(optionOf(found), (answer) => {
        const text = Either.getOrThrow(encodeAnswer({ found: answer }))
        expect(Either.getOrThrow(decodeAnswer(text))).toStrictEqual({ found: answer })
      }),
      { seed: SEED }
    )
  })

  it("is not understood when it is another text", () => {
    for (const text of ["", "{}", "[]", "null", `{"guildId":"1"}`, `{"guildId":1,"query":{}}`]) {
      expect(Either.isLeft(decodeQuestion(text))).toBe(true)
    }
  })

  it("is not answered without a filter of a later version", () => {
    const text = Either.getOrThrow(encodeQuestion(question))
    const { query, ...others } = Schema.decodeUnknownSync(
      Schema.parseJson(Schema.Struct({ guildId: Schema.String, query: Schema.Object }))
    )(text)
    expect(Either.isRight(decodeQuestion(JSON.stringify({ ...others, query })))).toBe(true)
    expect(Either.isLeft(decodeQuestion(JSON.stringify({ ...others, query: { ...query, isPending: true } })))).toBe(
      true
    )
    expect(Either.isLeft(decodeQuestion(JSON.stringify({ ...others, query, isPending: true })))).toBe(true)
    // A name that every object has.
    expect(Either.isLeft(decodeQuestion(JSON.stringify({ ...others, query, constructor: 1 })))).toBe(true)
  })
})
