import { normalise } from "@community-messaging/domain/member-search/MemberText"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { anyCodePoint } from "../../domain-contract/src/CodePoint.ts"
import { fromMember } from "../src/IndexedMember.ts"
import { member, runs } from "./Generated.ts"

const anyText = FastCheck.oneof(
  FastCheck.string({ unit: FastCheck.constantFrom("a", "B", " ", "~", "!", "7", "\t", "\u007f", "é"), maxLength: 8 }),
  FastCheck.string({ unit: "binary-ascii" }),
  FastCheck.string({ unit: anyCodePoint })
)

describe("the indexed fields of a member", () => {
  it.prop("have the normalised names", { any: member, text: anyText }, ({ any, text }) => {
    const taken = fromMember({ ...any, username: text, globalName: Option.some(text), nickname: Option.some(text) })
    const expected = normalise(text)
    expect(taken).toMatchObject({ usernameText: expected, globalNameText: expected, nicknameText: expected })
  }, runs(500))

  it.prop("are undefined if the member has no value", { any: member }, ({ any }) => {
    const taken = fromMember({
      ...any,
      globalName: Option.none(),
      nickname: Option.none(),
      joinSourceType: Option.none(),
      sourceInviteCode: Option.none()
    })
    expect(taken).toMatchObject({
      globalNameText: undefined,
      nicknameText: undefined,
      joinSourceType: undefined,
      sourceInviteCode: undefined
    })
  }, runs(20))
})
