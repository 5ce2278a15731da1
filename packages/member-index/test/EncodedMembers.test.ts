import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { ABSENT, EncodedMembers } from "../src/EncodedMembers.ts"
import { fromMember } from "../src/IndexedMember.ts"
import { INDEX_LIMITS, type IndexLimits } from "../src/IndexLimits.ts"
import { MemberIndexBuilder } from "../src/MemberIndexBuilder.ts"
import { END } from "../src/segment/EncodedText.ts"
import { EPOCH, members, query, runs, SMALL, specified } from "./Generated.ts"

/** A field: text, or bytes that are not UTF-8. */
type Field = string | Uint8Array

const encoded = (fields: ReadonlyArray<Field>) =>
  Buffer.concat(fields.flatMap((field) => [Buffer.from(field), Buffer.of(END)]))

const orAbsent = (value: number | string | undefined): Field => value === undefined ? Buffer.of(ABSENT) : String(value)

const fieldsOf = (member: GuildMember): ReadonlyArray<Field> => {
  const indexed = fromMember(member)
  return [
    indexed.userId,
    String(indexed.joinedAt),
    indexed.isBot ? "1" : "0",
    orAbsent(indexed.joinSourceType),
    JSON.stringify(indexed.roleIds),
    orAbsent(indexed.sourceInviteCode),
    indexed.usernameText,
    indexed.globalNameText ?? "",
    indexed.nicknameText ?? ""
  ]
}

/** Storages have no halves of surrogate pairs. */
const wellFormed = (member: GuildMember): GuildMember => ({
  ...member,
  username: member.username.toWellFormed(),
  globalName: Option.map(member.globalName, (name) => name.toWellFormed()),
  nickname: Option.map(member.nickname, (name) => name.toWellFormed()),
  sourceInviteCode: Option.map(member.sourceInviteCode, (code) => code.toWellFormed())
})

const indexOf = (bytes: Buffer, limits: IndexLimits = INDEX_LIMITS) => {
  const builder = new MemberIndexBuilder(EPOCH, limits)
  const encodedMembers = new EncodedMembers(bytes)
  while (!encodedMembers.isAtEnd) expect(builder.addEncoded(encodedMembers)).toBe(true)
  return builder.finish()
}

const FIELDS = ["7", "-5", "0", "1", "[\"5\"]", "code", "ada", "", ""]

/** Replaces one field of a valid member. */
const withField = (index: number, field: Field) => FIELDS.map((other, at) => at === index ? field : other)

const USER_ID = 0
const JOINED_AT = 1
const BOT = 2
const SOURCE = 3
const ROLE_IDS = 4
const CODE = 5
const USERNAME = 6

describe("encoded members", () => {
  const queries = FastCheck.array(query, { minLength: 30, maxLength: 30 })

  it.prop("have the results of the specification", { drawn: members(200), queries }, ({ drawn, queries: asked }) => {
    const all = drawn.map(wellFormed)
    const bytes = Buffer.concat(all.map((member) => encoded(fieldsOf(member))))
    for (const limits of [SMALL, INDEX_LIMITS]) {
      const index = indexOf(bytes, limits)
      for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
    }
  }, runs(25))

  it.each([
    "[ \"10\", \"5\" ]",
    "[\"10\", \"5\"]",
    "[\"\\u0035\"]"
  ])("may have role ids in any form of JSON: %s", (roleIds) => {
    const index = indexOf(encoded(withField(ROLE_IDS, roleIds)))
    const search = (id: string) => index.search(MemberQuery.make({ roleIds: [RoleId.make(id)] })).total
    expect([search("5"), search("6")]).toEqual([1, 0])
  })

  it.each<readonly [what: string, index: number, field: Field]>([
    ["no user id", USER_ID, ""],
    ["a negative user id", USER_ID, "-7"],
    ["a user id with a leading zero", USER_ID, "07"],
    ["a user id of more than 64 bits", USER_ID, "9223372036854775808"],
    ["a user id of too many digits", USER_ID, "18446744073709551617"],
    ["a user id with a letter", USER_ID, "7a"],
    ["no time of joining", JOINED_AT, ""],
    ["a time of joining that is not an integer", JOINED_AT, "1.5"],
    ["a time of joining beyond the safe integers", JOINED_AT, "9007199254740992"],
    ["a number of bots", BOT, "2"],
    ["an empty join source", SOURCE, ""],
    ["a join source that is not an integer", SOURCE, "1e3"],
    ["no role ids", ROLE_IDS, ""],
    ["role ids that are not an array", ROLE_IDS, "{}"],
    ["role ids that do not end", ROLE_IDS, "[\"5\""],
    ["a comma behind role ids", ROLE_IDS, "[\"5\",]"],
    ["something behind role ids", ROLE_IDS, "[\"5\"]]"],
    ["a role id that is not a string", ROLE_IDS, "[5]"],
    ["a role id with a leading zero", ROLE_IDS, "[\"05\"]"]
  ])("are not added with %s", (_what, index, field) => {
    const builder = new MemberIndexBuilder(EPOCH)
    const encodedMembers = new EncodedMembers(Buffer.concat([encoded(FIELDS), encoded(withField(index, field))]))
    const first = builder.addEncoded(encodedMembers)
    expect([first, builder.addEncoded(encodedMembers), encodedMembers.userId()])
      .toEqual([true, false, index === USER_ID ? String(field) : "7"])
  })

  it("may have a role twice", () => {
    const twice = encoded(withField(ROLE_IDS, "[\"5\",\"5\"]"))
    const index = indexOf(Buffer.concat([twice, encoded(FIELDS.with(USER_ID, "8").with(ROLE_IDS, "[]"))]))
    expect(index.search(MemberQuery.make({ roleIds: [RoleId.make("5")] }))).toEqual({ userIds: ["7"], total: 1 })
  })

  it("may have an invite code that begins like a missing one", () => {
    const index = indexOf(encoded(withField(CODE, Buffer.of(ABSENT, 0x61))))
    expect(index.search(MemberQuery.make({ sourceInviteCodes: ["\ufffda"] })).total).toBe(1)
  })

  it.each([
    ["the beginning of a character", [0xc3]],
    ["the beginning of a character beyond the basic plane", [0xf0]],
    ["a byte that UTF-8 does not have", [0xf8]]
  ])("may have a name with %s instead of UTF-8: it is read as U+FFFD", (_what, bytes) => {
    const index = indexOf(encoded(withField(USERNAME, Buffer.from([0x61, ...bytes]))))
    expect(index.search(MemberQuery.make({ text: "a\ufffd" }))).toEqual({ userIds: ["7"], total: 1 })
  })

  it("are not added without their last fields", () => {
    const bytes = encoded(FIELDS)
    const cut = Array.from(FIELDS, (_field, count) => encoded(FIELDS.slice(0, count)))
    expect(cut.map((part) => new MemberIndexBuilder(EPOCH).addEncoded(new EncodedMembers(part)))).toEqual(
      cut.map(() => false)
    )
    expect(new MemberIndexBuilder(EPOCH).addEncoded(new EncodedMembers(bytes))).toBe(true)
  })
})
