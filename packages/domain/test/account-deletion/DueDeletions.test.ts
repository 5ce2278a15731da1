import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { fullAccount } from "@community-messaging/domain-contract/world/FullAccount"
import {
  cancelDeletion,
  contents,
  deleteDue,
  dispatch,
  eventsOf,
  inUtc,
  NOTHING_DUE,
  ONE_DONE,
  plain,
  plainUser,
  saying,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  storedUser,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything, state } from "@community-messaging/domain-contract/world/WholeState"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { linesOf } from "../../../../test/Logged.ts"
import { it } from "../World.ts"

const IN_14_DAYS = startPlus("14 days")

/** When a deletion that is due in 14 days is cancelled. */
const TAKEN_BACK: ReadonlyArray<readonly [when: string, at: DateTime.Utc]> = [
  ["a millisecond before its date", DateTime.subtract(IN_14_DAYS, { millis: 1 })],
  ["after its date, but before it was deleted", startPlus("15 days")]
]

/** An account with every kind of data, whose deletion is due now. */
const dueAccount = Effect.gen(function*() {
  const account = yield* fullAccount({ bot: true })
  yield* scheduleDeletion(account.user.id, 14)
  yield* Time.setTime(DateTime.toEpochMillis(IN_14_DAYS))
  return account
})

const search = (guildId: GuildId, text: string) =>
  Effect.map(
    searchMembers(guildId, MemberQuery.make({ text })),
    ({ members }) => members.map(({ userId }) => userId)
  )

describe("an account whose deletion is scheduled", () => {
  it("is a tombstone from its date on", function*() {
    const { user } = yield* dueAccount
    const due = yield* storedUser(user.id)
    expect(yield* deleteDue()).toEqual(ONE_DONE)
    expect(plainUser(yield* storedUser(user.id))).toEqual(plainUser(tombstone(due, IN_14_DAYS)))
  })

  it("has no valid token, no consent and no code any more, and its grants are revoked", function*() {
    const { code, consent, grant, token } = yield* dueAccount
    yield* deleteDue()
    const consents = yield* ConsentRepository
    const { revokedAt } = yield* Effect.flatten((yield* CredentialRepository).find(token.id))
    expect(revokedAt).toEqual(Option.some(IN_14_DAYS))
    expect(yield* consents.find(consent.userId, consent.applicationId)).toEqual(Option.none())
    expect(yield* consents.findCode(code.digest)).toEqual(Option.none())
    const left = yield* Effect.flatten(consents.findGrant(grant.tokenDigest))
    expect(left.revokedAt).toEqual(Option.some(IN_14_DAYS))
  })

  it("has its undelivered messages cancelled for that reason, without their content, and its other messages unchanged", function*() {
    const { messages } = yield* dueAccount
    yield* deleteDue()
    const after = yield* Effect.forEach(messages, ({ id }) => Effect.map(stored(id), plain))
    expect(after).toEqual(messages.map((message) =>
      plain(
        UNDELIVERED.includes(message.status)
          ? {
            ...message,
            status: "cancelled",
            statusReason: Option.some("The author's account was deleted."),
            payload: MessagePayload.make({}),
            endedAt: Option.some(IN_14_DAYS)
          }
          : message
      )
    ))
  })

  it("is in no guild any more, and no search finds it", function*() {
    const { channel, own, user } = yield* dueAccount
    expect(yield* search(channel.guildId, "lovelace")).toEqual([user.id])
    yield* deleteDue()
    expect(yield* (yield* MembershipRepository).ofUser(user.id)).toEqual([])
    const queries = ["lovelace", "ada", user.id, `deleted-user-${user.id}`]
    const found = yield* Effect.forEach(
      queries,
      (text) => Effect.zip(search(channel.guildId, text), search(own.id, text))
    )
    expect(found.flat(2)).toEqual([])
    expect((yield* search(channel.guildId, "")).includes(user.id)).toBe(false)
  })

  it("keeps its posted messages", function*() {
    const account = yield* fullAccount({ bot: true })
    yield* schedule(account, { ...inUtc(startPlus("1 day")), payload: saying("I was here") })
    yield* scheduleDeletion(account.user.id, 14)
    yield* Time.adjust("1 day")
    yield* dispatch()
    yield* Time.adjust("13 days")
    yield* deleteDue()
    expect(yield* contents(account.channel.id)).toEqual(["I was here"])
  })

  it("appends events: of its messages, of the guilds that it left, and then of the deletion", function*() {
    const { channel, messages, own, user } = yield* dueAccount
    const told = yield* eventsOf(deleteDue())
    const cancelled = messages.filter(({ status }) => UNDELIVERED.includes(status))
    expect(new Set(told.slice(0, -1))).toEqual(
      new Set([
        ...cancelled.map((message) => updated(message, "cancelled")),
        ...[channel.guildId, own.id].map((guildId) => ({ _tag: "member.left", version: 1, guildId, userId: user.id }))
      ])
    )
    expect(told.at(-1)).toEqual({ _tag: "user.deleted", version: 1, userId: user.id })
  })

  it("is deleted once: a later run changes nothing", function*() {
    yield* dueAccount
    yield* deleteDue()
    const after = yield* everything
    expect(yield* deleteDue()).toEqual(NOTHING_DUE)
    yield* Time.adjust("1000 days")
    expect(yield* deleteDue()).toEqual(NOTHING_DUE)
    expect(yield* everything).toEqual(after)
  })

  it.each(TAKEN_BACK)("is as before when the deletion is cancelled %s", function*([, moment]) {
    const { user } = yield* fullAccount({ bot: true })
    const before = yield* state
    yield* scheduleDeletion(user.id, 14)
    expect(yield* state).not.toEqual(before)
    yield* Time.setTime(DateTime.toEpochMillis(moment))
    yield* cancelDeletion(user.id)
    expect(yield* state).toEqual(before)
    yield* Time.adjust("400 days")
    expect(yield* deleteDue()).toEqual(NOTHING_DUE)
    expect(yield* state).toEqual(before)
  })

  it("is not deleted when the deletion is cancelled while a server is about to delete it", function*() {
    const { user } = yield* fullAccount({ bot: true })
    const before = yield* state
    yield* scheduleDeletion(user.id, 14)
    yield* Time.setTime(DateTime.toEpochMillis(IN_14_DAYS))
    const result = yield* Faults.meanwhile("users.claimDueDeletions", cancelDeletion(user.id))(deleteDue())
    expect(result).toEqual({ claimed: 1, done: 0, failed: 0 })
    expect(yield* state).toEqual(before)
  })
})

describe("accounts whose deletion is due", () => {
  it("leave hundreds of guilds with turns of the event loop in between, so that requests that read are served", function*() {
    const { id: userId } = yield* Saved.user()
    yield* Effect.replicateEffect(
      Effect.flatMap(Saved.guild(), ({ id: guildId }) => Saved.membership({ guildId, userId })),
      201
    )
    yield* scheduleDeletion(userId, 14)
    yield* Time.setTime(DateTime.toEpochMillis(IN_14_DAYS))
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    })
    yield* Effect.ensuring(deleteDue(), Effect.sync(() => clearInterval(counting)))
    expect(turns).toBeGreaterThan(0)
  })

  it("are deleted in the order of their dates, at most the limit", function*() {
    const accounts = yield* Effect.forEach([3, 1, 2], (days) =>
      Effect.gen(function*() {
        const { id } = yield* Saved.user()
        yield* scheduleDeletion(id, days)
        return { days, id }
      }))
    yield* Time.adjust("10 days")
    const told = yield* eventsOf(deleteDue(2))
    const soonest = [1, 2].map((days) => accounts.find((account) => account.days === days)?.id)
    expect(told).toEqual(soonest.map((userId) => ({ _tag: "user.deleted", version: 1, userId })))
    expect(yield* deleteDue(2)).toEqual(ONE_DONE)
  })

  it("are deleted although one of them fails", function*() {
    yield* Effect.replicateEffect(Effect.flatMap(scene(), ({ author }) => scheduleDeletion(author.id, 1)), 3)
    yield* Time.adjust("1 day")
    const told = yield* eventsOf(
      Faults.injectFault("fails", (step) => step === "credentials.revokeAllOfUser")(deleteDue())
    )
    expect(told.filter(({ _tag }) => _tag === "user.deleted").length).toBe(2)
    yield* Time.adjust(29_999)
    expect(yield* deleteDue()).toEqual(NOTHING_DUE)
    yield* Time.adjust(1)
    expect(yield* deleteDue()).toEqual(ONE_DONE)
  })

  it("are in the log, by the id of the account and the failed operation, when they cannot be deleted", function*() {
    const { id } = yield* Effect.map(scene(), ({ author }) => author)
    yield* scheduleDeletion(id, 1)
    yield* Time.adjust("1 day")
    const failing = Faults.whileFailing("credentials.revokeAllOfUser")(deleteDue())
    expect(yield* linesOf(failing)).toEqual([[["An account could not be deleted"], {
      user_id: id,
      cause: "StorageError in continue: the test injects a failure"
    }]])
  })
})
