import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import { type AccountState, User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { describe, expect } from "@effect/vitest"
import { Effect, Either, Option, Struct } from "effect"
import { atomically } from "./Atomically.ts"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import { NOON } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plain = plainData(User)

const email = (text: string): Option.Option<EmailAddress> => Option.some(EmailAddress.make(text))

/** The contract of `UserRepository`. Due deletions are in `DueDeletionContract`. */
export const userRepositoryContract = portContract<UserRepository>("UserRepository", ({ it }) => {
  it("accounts in one state are listed in the order of their ids by number, page by page", function*() {
    const users = yield* UserRepository
    const inState: Readonly<Record<AccountState, Partial<User>>> = {
      active: {},
      "scheduled for deletion": { pendingDeletionAt: Option.some(NOON) },
      deleted: { pendingDeletionAt: Option.some(NOON), deletedAt: Option.some(NOON) }
    }
    const states = Struct.keys(inState)
    for (const [place, state] of states.entries()) {
      yield* Effect.forEach(
        [3, 12, 9],
        (number) => Saved.user({ id: UserId.make(String(number * 10 + place)), ...inState[state] })
      )
    }
    const lists = yield* Effect.forEach(
      states,
      (state) => pages({ page: (page) => users.list({ ...page, state }), key: ({ id }: User) => id, limit: 2 })
    )
    expect(lists).toEqual([[["30", "90"], ["120"]], [["31", "91"], ["121"]], [["32", "92"], ["122"]]])
  })

  it("the status of an account has whether it is a bot, deleted, or scheduled for deletion", function*() {
    const users = yield* UserRepository
    const person = yield* Saved.user()
    const bot = yield* Saved.user({ bot: true })
    const leaving = yield* Saved.user({ pendingDeletionAt: Option.some(NOON) })
    const deleted = tombstone(yield* Saved.user({ bot: true, pendingDeletionAt: Option.some(NOON) }), NOON)
    yield* users.save(deleted)
    const ids = [person.id, bot.id, leaving.id, deleted.id, UserId.make(FreshIds.snowflake())]
    const statuses = yield* Effect.forEach(ids, users.findStatus)
    expect(statuses).toEqual([
      Option.some({ bot: false, deleted: false, scheduledForDeletion: false }),
      Option.some({ bot: true, deleted: false, scheduledForDeletion: false }),
      Option.some({ bot: false, deleted: false, scheduledForDeletion: true }),
      Option.some({ bot: true, deleted: true, scheduledForDeletion: false }),
      Option.none()
    ])
    const together = yield* users.findStatuses(ids)
    expect(ids.map((id) => Option.fromNullable(together.get(id)))).toEqual(statuses)
  })

  it("any number of accounts are found at once, each once, without those that do not exist", function*() {
    const users = yield* UserRepository
    const people = yield* Effect.replicateEffect(Saved.user(), 130)
    const deleted = tombstone(yield* Saved.user({ bot: true }), NOON)
    yield* users.save(deleted)
    yield* Saved.user()
    const all = [...people, deleted]
    const ids = [
      UserId.make(FreshIds.snowflake()),
      ...all.map(({ id }) => id),
      ...people.map(({ id }) => id)
    ]
    const byId = (self: { readonly id: string }, that: { readonly id: string }) => self.id < that.id ? -1 : 1
    expect((yield* users.findAll(ids)).map(plain).toSorted(byId)).toEqual(all.map(plain).toSorted(byId))
    expect(yield* users.findAll([])).toEqual([])
    const statuses = yield* users.findStatuses(ids)
    expect(statuses.size).toBe(all.length)
    expect(statuses.get(deleted.id)).toEqual({ bot: true, deleted: true, scheduledForDeletion: false })
    expect(people.every(({ id }) => statuses.get(id)?.deleted === false)).toBe(true)
  })

  it("accounts are listed in the order of their ids by number, page by page", function*() {
    const users = yield* UserRepository
    yield* Effect.forEach(SHUFFLED, (id) => Saved.user({ id: UserId.make(id) }))
    expect(yield* pages({ page: users.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
  })

  describe("e-mail addresses", () => {
    it.each<readonly [form: string, what: string, taken?: string]>([
      ["ADA@example.ORG", "another case"],
      ["REN\u00c9@example.org", "composed letters", "rene\u0301@example.org"],
      ["\uff21\uff44\uff41@example.org", "full-width letters before the @"],
      ["ada@\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.org", "full-width letters after it"],
      ["ada@example\u3002org", "an ideographic full stop"],
      ["ad\ufe0fa@example.org", "an invisible character"]
    ])(
      "an address of another account is rejected in any form: %s, with %s",
      function*([form, , taken = "ada@example.org"]) {
        const users = yield* UserRepository
        yield* Saved.user({ email: email(taken) })
        expect((yield* Effect.flip(users.save(Samples.user({ email: email(form) }))))._tag).toBe("EmailAlreadyInUse")
      }
    )

    it("the address of an account is stored as it is written, in any form, also if only its form changes", function*() {
      const users = yield* UserRepository
      const user = yield* Saved.user({ email: email("\uff41da@example.org") })
      const changed = { ...user, email: email("Ada@Example.org") }
      for (const account of [{ ...user, username: "renamed" }, changed]) {
        yield* users.save(account)
        expect(Option.map(yield* users.find(user.id), plain)).toEqual(Option.some(plain(account)))
      }
    })

    it("an account is inserted, changed, and loses its address, without a new address", function*() {
      const users = yield* UserRepository
      const user = Samples.user()
      yield* users.saveWithoutNewEmail(user)
      yield* users.save({ ...user, email: email("ada@example.org") })
      const renamed = { ...user, username: "renamed", email: email("ada@example.org") }
      yield* users.saveWithoutNewEmail(renamed)
      expect(Option.map(yield* users.find(user.id), plain)).toEqual(Option.some(plain(renamed)))
      yield* users.saveWithoutNewEmail(user)
      expect(Option.map(yield* users.find(user.id), plain)).toEqual(Option.some(plain(user)))
      yield* Saved.user({ email: email("ada@example.org") })
    })

    it("an account that has a new address after all, which is taken, is not saved, nor is its unit of work", function*() {
      const users = yield* UserRepository
      yield* Saved.user({ email: email("ada@example.org") })
      const before = yield* Saved.user({ username: "before" })
      const other = Samples.user()
      const failure = yield* Effect.flip(atomically(Effect.zipRight(
        users.saveWithoutNewEmail({ ...before, username: "after", email: email("ada@example.org") }),
        users.saveWithoutNewEmail(other)
      )))
      expect(failure._tag).toBe("StorageError")
      expect((yield* users.findAll([before.id, other.id])).map(plain)).toEqual([plain(before)])
    })

    it("accounts are saved together; of two with the same id, the later one remains", function*() {
      const users = yield* UserRepository
      const [first, second] = [Samples.user({ email: email("ada@example.org") }), Samples.user()]
      // The second account gets the address that the first one had.
      const given = [first, { ...first, email: Option.none() }, { ...second, email: email("ADA@example.org") }]
      expect(yield* users.saveAll(given)).toBe(true)
      const found = yield* users.findAll([first.id, second.id])
      expect(new Map(found.map((user) => [user.id, user.email]))).toEqual(
        new Map([[first.id, Option.none()], [second.id, email("ADA@example.org")]])
      )
      expect(yield* users.saveAll([])).toBe(true)
    })

    it("none of several accounts is saved if one has a taken address, and the unit of work continues", function*() {
      const users = yield* UserRepository
      yield* Saved.user({ email: email("ada@example.org") })
      const [first, taken, last] = [
        Samples.user(),
        Samples.user({ email: email("Ada@example.org") }),
        Samples.user()
      ]
      yield* atomically(Effect.gen(function*() {
        expect(yield* users.saveAll([first, taken, last])).toBe(false)
        yield* users.save(last)
      }))
      expect((yield* users.findAll([first.id, taken.id, last.id])).map(({ id }) => id)).toEqual([last.id])
    })

    it("accounts that cannot be stored cause a failure, not a taken address", function*() {
      const users = yield* UserRepository
      const invalid = Samples.user({ premiumType: Option.some(0.5) })
      expect((yield* Effect.flip(users.saveAll([Samples.user(), invalid])))._tag).toBe("StorageError")
    })

    it("an account whose address was rejected stays unchanged, and its unit of work continues", function*() {
      const users = yield* UserRepository
      yield* Saved.user({ email: email("ada@example.org") })
      const before = yield* Saved.user({ username: "before", email: email("other@example.org") })
      const other = Samples.user()
      yield* atomically(Effect.gen(function*() {
        yield* Effect.flip(users.save({ ...before, username: "after", email: email("ada@example.org") }))
        yield* users.save(other)
      }))
      const found = yield* Effect.forEach([before, other], ({ id }) => users.find(id))
      expect(found.map(Option.map(plain))).toEqual([Option.some(plain(before)), Option.some(plain(other))])
    })

    it.each<readonly [what: string, change: (user: User) => User]>([
      ["has another one", (user) => ({ ...user, email: email("lovelace@example.org") })],
      ["is deleted", (user) => tombstone(user, NOON)]
    ])("an address is free when its account %s", function*([, change]) {
      const users = yield* UserRepository
      yield* users.save(change(yield* Saved.user({ email: email("ada@example.org") })))
      const next = yield* Saved.user({ email: email("ADA@example.org") })
      expect(Option.isSome(yield* users.find(next.id))).toBe(true)
    })

    it("of several accounts that take one address at the same time, exactly one gets it", function*() {
      const users = yield* UserRepository
      const outcomes = yield* Effect.all(
        Array.from(
          { length: 10 },
          () => Effect.either(users.save(Samples.user({ email: email("ada@example.org") })))
        ),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter(Either.isRight).length).toBe(1)
    })
  })
})
