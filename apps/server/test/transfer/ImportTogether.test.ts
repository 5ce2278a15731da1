import * as EventStream from "@community-messaging/domain/event/EventStream"
import { describe, expect, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { toText } from "./Community.ts"
import { exportText, importText, ON_STORAGES } from "./Transfer.ts"

const user = (id: number, fields: object = {}) => ({
  kind: "user",
  id: String(id),
  username: `user${id}`,
  email: `user${id}@example.org`,
  ...fields
})

const GUILD = { kind: "guild", id: "9001", name: "Haus", owner_id: "1" }
const CHANNEL = { kind: "channel", id: "9002", guild_id: "9001", name: "general" }
const member = (id: number, nickname: string) => ({
  kind: "member",
  guild_id: "9001",
  user_id: String(id),
  joined_at: 1_700_000_000,
  nickname
})
const message = (id: number, authorId: number) => ({
  kind: "message",
  id: String(id),
  channel_id: "9002",
  guild_id: "9001",
  author: { type: "user", user_id: String(authorId) },
  payload: { content: "Hello" },
  created_at: "2024-06-30T00:00:00.000Z"
})

const eventTypes = Effect.map(EventStream.read(0, 1000), (events) => events.map(({ event }) => event._tag))

describe.each(ON_STORAGES)("lines of one kind that are imported together, into %s", (_, storage) => {
  it.effect("fail alone when an e-mail address is taken, by an earlier line or before, and are reported in order", () =>
    Effect.gen(function*() {
      yield* importText(toText([user(1)]))
      const records = Array.makeBy(90, (index) => user(index + 2))
      records[10] = user(12, { email: "USER1@example.org" })
      records[50] = user(52, { email: "User40@example.org" })
      records[70] = user(72, { username: "" })
      const { failed, summary } = yield* importText(toText([...records, { kind: "thing" }]))
      const email = { path: "email", reason: "another account has this address or an equal form of it" }
      expect(failed).toMatchObject([
        { number: 11, kind: "user", problems: [email] },
        { number: 51, kind: "user", problems: [email] },
        { number: 71, kind: "user", problems: [{ path: "username" }] },
        { number: 91, kind: "unknown", problems: [{ path: "kind" }] }
      ])
      expect(summary["user"]).toEqual({ added: 87, changed: 0, unchanged: 0, failed: 3 })
      expect((yield* exportText).split("\n").filter((line) => line !== "")).toHaveLength(88)
    }).pipe(Effect.provide(storage)))

  it.effect("see one another, and append the events of each change in order", () =>
    Effect.gen(function*() {
      const { failed, summary } = yield* importText(toText([
        user(1),
        user(1),
        user(1, { username: "renamed" }),
        user(1, { bot: true }),
        user(2, { bot: true }),
        user(2, { bot: true, deleted_at: "2024-06-30T00:00:00.000Z" }),
        user(2, { bot: true }),
        GUILD,
        CHANNEL,
        member(1, "ada"),
        member(1, "ada"),
        member(1, "lovelace"),
        member(2, "gone"),
        message(9010, 1),
        message(9010, 1),
        message(9010, 2),
        message(9011, 77)
      ]))
      expect(failed.map(({ number, problems }) => `${number} ${problems[0]?.reason}`)).toEqual([
        "4 cannot change from false",
        "7 this account is deleted: an import cannot restore it",
        "13 the user 2 was deleted",
        "16 a different message with this id exists",
        "17 there is no user 77"
      ])
      expect(summary).toMatchObject({
        user: { added: 2, changed: 2, unchanged: 1, failed: 2 },
        member: { added: 1, changed: 1, unchanged: 1, failed: 1 },
        message: { added: 1, changed: 0, unchanged: 1, failed: 2 }
      })
      expect(yield* eventTypes).toEqual([
        "user.updated",
        "user.deleted",
        "member.joined",
        "member.updated",
        "message.created"
      ])
    }).pipe(Effect.provide(storage)))
})
