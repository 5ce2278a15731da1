import { uniquenessKey } from "@community-messaging/domain/account/EmailAddress"
import { isDeleted, isPendingDeletion, stateOf, User } from "@community-messaging/domain/account/User"
import {
  type AccountStatus,
  EmailAlreadyInUse,
  type UserRepository
} from "@community-messaging/domain/account/UserRepository"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, DateTime, Effect, Either, Option, Schema } from "effect"
import { claimableAt } from "./Claim.ts"
import { requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { removeIfUnused } from "./UnusedAvatars.ts"

const deletionDueAt = (user: User): Option.Option<DateTime.Utc> =>
  isDeleted(user) ? Option.none() : user.pendingDeletionAt

const claimable = (tables: Readonly<Tables>) => (user: User): Option.Option<DateTime.Utc> =>
  Option.map(deletionDueAt(user), (due) => claimableAt(due, Table.get(tables.deletionLeases, user.id)))

const save = (tables: Tables, user: User): Either.Either<void, EmailAlreadyInUse> => {
  const before = Option.getOrUndefined(Table.get(tables.users, user.id))
  for (const email of Option.toArray(before?.email ?? Option.none())) {
    tables.usersByEmail = Table.remove(tables.usersByEmail, uniquenessKey(email))
  }
  for (const email of Option.toArray(user.email)) {
    const key = uniquenessKey(email)
    if (Table.has(tables.usersByEmail, key)) return Either.left(new EmailAlreadyInUse({ userId: user.id }))
    tables.usersByEmail = Table.set(tables.usersByEmail, key, user.id)
  }
  tables.users = Table.set(tables.users, user.id, user)
  if (Option.isNone(deletionDueAt(user))) tables.deletionLeases = Table.remove(tables.deletionLeases, user.id)
  removeIfUnused(tables, before?.avatar ?? Option.none())
  return Either.void
}

/** The status of an account. */
export const statusOf = (user: User): AccountStatus => ({
  bot: user.bot,
  deleted: isDeleted(user),
  scheduledForDeletion: isPendingDeletion(user)
})

const validUser = requireValid(User)
const validUsers = requireValid(Schema.Array(User))

/** `UserRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof UserRepository.Service => ({
  find: (id) => state.read(({ users }) => Table.get(users, id)),
  findAll: (ids) => state.read(({ users }) => Array.filterMap(new Set(ids), (id) => Table.get(users, id))),
  findStatus: (id) => state.read(({ users }) => Option.map(Table.get(users, id), statusOf)),
  findStatuses: (ids) =>
    state.read(({ users }) =>
      new Map(Array.filterMap(ids, (id) => Option.map(Table.get(users, id), (user) => [id, statusOf(user)] as const)))
    ),
  save: validUser("save an account", (user) => state.attempt((tables) => save(tables, user))),
  saveWithoutNewEmail: validUser("save an account", (user) =>
    Effect.catchTag(
      state.attempt((tables) => save(tables, user)),
      "EmailAlreadyInUse",
      () => new StorageError({ operation: "save an account: its e-mail address is taken" })
    )),
  saveAll: validUsers(
    "save accounts",
    (users) => Effect.isSuccess(state.attempt((tables) => Either.all(users.map((user) => save(tables, user)))))
  ),
  list: ({ after, limit, state: wanted }) =>
    state.read(({ users }) =>
      Table.after(users, after, limit, (user) => wanted === undefined || stateOf(user) === wanted)
    ),
  claimDueDeletions: ({ leaseUntil, limit, now }) =>
    state.write((tables) => {
      const due = Table.oldest(tables.users, claimable(tables), DateTime.lessThanOrEqualTo(now), limit)
      for (const [id] of due) tables.deletionLeases = Table.set(tables.deletionLeases, id, leaseUntil)
      return due.map(([id]) => id)
    }),
  nextDeletionAt: state.read((tables) => Table.earliest(tables.users, claimable(tables))),
  countDueDeletions: (now, limit) =>
    state.read((tables) => Table.oldest(tables.users, claimable(tables), DateTime.lessThanOrEqualTo(now), limit).length)
})
