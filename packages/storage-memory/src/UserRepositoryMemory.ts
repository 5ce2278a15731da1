import { uniquenessKey } from "@community-messaging/domain/account/EmailAddress"
import { isDeleted, isPendingDeletion, stateOf, User } from "@community-messaging/domain/account/User"
import {
  type AccountStatus,
  EmailAlreadyInUse,
  UserRepository
} from "@community-messaging/domain/account/UserRepository"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, type DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import { requireValid } from "./Constraint.ts"
import * as DueQueue from "./DueQueue.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { removeIfUnused } from "./UnusedAvatars.ts"

const deletionDueAt = (user: User): Option.Option<DateTime.Utc> =>
  isDeleted(user) ? Option.none() : user.pendingDeletionAt

const withEmail = (
  owners: Tables["usersByEmail"],
  user: User,
  before: Option.Option<User>
): Either.Either<Tables["usersByEmail"], EmailAlreadyInUse> => {
  const freed = Option.match(Option.flatMap(before, ({ email }) => email), {
    onNone: () => owners,
    onSome: (email) => Table.remove(owners, uniquenessKey(email))
  })
  if (Option.isNone(user.email)) return Either.right(freed)
  const email = user.email.value
  return Table.has(freed, uniquenessKey(email))
    ? Either.left(new EmailAlreadyInUse({ userId: user.id }))
    : Either.right(Table.set(freed, uniquenessKey(email), user.id))
}

const withDeletion = (
  deletions: Tables["deletions"],
  user: User,
  before: Option.Option<User>
): Tables["deletions"] => {
  const removed = Option.match(Option.flatMap(before, deletionDueAt), {
    onNone: () => deletions,
    onSome: (at) => DueQueue.remove(deletions, at, user.id)
  })
  return Option.match(deletionDueAt(user), {
    onNone: () => DueQueue.release(removed, user.id),
    onSome: (at) => DueQueue.add(removed, at, user.id)
  })
}

const save = (tables: Tables, user: User): Either.Either<Tables, EmailAlreadyInUse> => {
  const before = Table.get(tables.users, user.id)
  return Either.map(withEmail(tables.usersByEmail, user, before), (usersByEmail) => {
    const saved = {
      ...tables,
      users: Table.set(tables.users, user.id, user),
      usersByEmail,
      deletions: withDeletion(tables.deletions, user, before)
    }
    return removeIfUnused(saved, Option.flatMap(before, ({ avatar }) => avatar))
  })
}

const saveAll = (tables: Tables, users: ReadonlyArray<User>): Either.Either<Tables, EmailAlreadyInUse> => {
  let saved: Either.Either<Tables, EmailAlreadyInUse> = Either.right(tables)
  for (const user of users) saved = Either.flatMap(saved, (before) => save(before, user))
  return saved
}

/** The status of an account. */
export const statusOf = (user: User): AccountStatus => ({
  bot: user.bot,
  deleted: isDeleted(user),
  scheduledForDeletion: isPendingDeletion(user)
})

/** `UserRepository` in memory. */
export const layer: Layer.Layer<UserRepository, never, MemoryState> = Layer.effect(
  UserRepository,
  Effect.map(MemoryState, (state) => ({
    find: (id) => state.read(({ users }) => Table.get(users, id)),
    findAll: (ids) => state.read(({ users }) => Array.filterMap(new Set(ids), (id) => Table.get(users, id))),
    findStatus: (id) => state.read(({ users }) => Option.map(Table.get(users, id), statusOf)),
    findStatuses: (ids) =>
      state.read(({ users }) =>
        new Map(Array.filterMap(ids, (id) => Option.map(Table.get(users, id), (user) => [id, statusOf(user)] as const)))
      ),
    save: requireValid("save an account", User, (user) => state.update((tables) => save(tables, user))),
    saveWithoutNewEmail: requireValid(
      "save an account",
      User,
      (user) =>
        Effect.catchTag(
          state.update((tables) => save(tables, user)),
          "EmailAlreadyInUse",
          () => new StorageError({ operation: "save an account: its e-mail address is taken" })
        )
    ),
    saveAll: requireValid(
      "save accounts",
      Schema.Array(User),
      (users) =>
        Effect.match(state.update((tables) => saveAll(tables, users)), {
          onFailure: () => false,
          onSuccess: () => true
        })
    ),
    list: ({ after, limit, state: wanted }) =>
      state.read(({ users }) =>
        Table.after(users, after, limit, (user) => wanted === undefined || stateOf(user) === wanted)
      ),
    claimDueDeletions: (options) =>
      state.modify((tables) => {
        const [claimed, deletions] = DueQueue.claim(tables.deletions, options)
        return Either.right([claimed, { ...tables, deletions }])
      }),
    nextDeletionAt: state.read(({ deletions }) => DueQueue.nextAt(deletions)),
    countDueDeletions: (now, limit) => state.read(({ deletions }) => DueQueue.count(deletions, now, limit))
  }))
)
