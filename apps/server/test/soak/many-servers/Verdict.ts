import { isDeleted } from "@community-messaging/domain/account/User"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import * as EventResource from "@community-messaging/http-adapter/operations/EventResource"
import { Array as Arrays, Effect, Option } from "effect"
import { AUTHOR, CHANNEL, contentOf, leavingAccount } from "../DueWork.ts"
import { ACCOUNTS, NOTIFICATIONS } from "./Community.ts"
import type { Follower } from "./Follower.ts"
import * as MemberChanges from "./MemberChanges.ts"
import * as Stored from "./Stored.ts"
import { titleOf } from "./Traffic.ts"

/** Checks that each expected item occurs once. Returns the violations as text. */
const exactlyOnce = (expected: Iterable<string>, found: Iterable<string>): ReadonlyArray<string> => {
  const counts = new Map(Arrays.map(Arrays.fromIterable(expected), (item) => [item, 0]))
  for (const item of found) counts.set(item, (counts.get(item) ?? Number.NaN) + 1)
  return Array.from(counts).flatMap(([item, count]) =>
    count === 1 ? [] : [`${item}: ${Number.isNaN(count) ? "not expected" : `${count} times`}`]
  )
}

type Log = ReadonlyArray<SequencedEvent<DomainEvent>>

const idsIn = (log: Log, idOf: (event: DomainEvent) => string | undefined): ReadonlyArray<string> =>
  log.flatMap(({ event }) => Arrays.fromNullable(idOf(event)))

/** Due messages and deletions: each was done once, and is in the log once. */
export const dueWork = (log: Log, messages: number, deletions: number) =>
  Effect.gen(function*() {
    const { undelivered } = yield* ScheduledMessageRepository
    const { ofUser } = yield* MembershipRepository
    const posted = yield* Stored.messages(CHANNEL)
    const leaving = Arrays.makeBy(deletions, (index) => leavingAccount(index + 1))
    const accounts = yield* Effect.forEach(leaving, Stored.user)
    const memberships = yield* Effect.forEach(leaving, ofUser)
    return {
      posts: exactlyOnce(
        Arrays.makeBy(messages, (index) => contentOf(index + 1)),
        posted.map(({ payload }) => Option.getOrElse(payload.content, () => ""))
      ),
      undelivered: yield* undelivered(AUTHOR),
      sentEvents: exactlyOnce(
        Arrays.makeBy(messages, (index) => String(1001 + index)),
        idsIn(log, (event) =>
          event._tag === "scheduled_message.updated" && event.status === "sent" ? event.scheduledMessageId : undefined)
      ),
      tombstones: accounts.filter((account) =>
        !isDeleted(account)
      ).map(({ id }) => id),
      memberships: memberships.flat(),
      deletedEvents: exactlyOnce(
        leaving,
        idsIn(log, (event) => event._tag === "user.deleted" ? event.userId : undefined)
      ),
      leftEvents: exactlyOnce(
        leaving,
        idsIn(log, (event) => event._tag === "member.left" && leaving.includes(event.userId) ? event.userId : undefined)
      )
    }
  })

/** Notifications: each delivery id has one message, and every message is in the log once. */
export const messages = (log: Log, notifications: number) =>
  Effect.gen(function*() {
    const notified = yield* Stored.messages(NOTIFICATIONS)
    const stored = [...notified, ...yield* Stored.messages(CHANNEL)]
    return {
      deliveries: exactlyOnce(
        Arrays.makeBy(notifications, (index) => titleOf(index + 1)),
        notified.map(({ payload }) => /notification \d+\./.exec(JSON.stringify(payload))?.[0] ?? "another message")
      ),
      messageEvents: exactlyOnce(
        stored.map(({ id }) => id),
        idsIn(log, (event) => event._tag === "message.created" ? event.message.id : undefined)
      )
    }
  })

/** Acknowledged writes that are not stored. */
export const lostWrites = (
  emails: { readonly lost: (stored: (key: string) => string | undefined) => ReadonlyArray<string> },
  { memberships, names }: Pick<Effect.Effect.Success<ReturnType<typeof MemberChanges.start>>, "memberships" | "names">
) =>
  Effect.gen(function*() {
    const { find } = yield* MembershipRepository
    const accounts = new Map(
      yield* Effect.forEach(ACCOUNTS, (id) => Effect.map(Stored.user(id), (account) => [String(id), account] as const))
    )
    const stored = new Map(
      yield* Effect.forEach(memberships.keys, (key) => {
        const { guildId, userId } = MemberChanges.ofKey(key)
        return Effect.map(find(guildId, userId), (membership) => [key, MemberChanges.textOf(membership)] as const)
      })
    )
    return {
      emails: emails.lost((id) => Option.getOrElse(accounts.get(id)?.email ?? Option.none(), () => "")),
      names: names.lost((id) => {
        const account = accounts.get(id)
        return account === undefined ? undefined : MemberChanges.namesOf(account)
      }),
      memberships: memberships.lost((key) => stored.get(key))
    }
  })

/** The audit log has no gap, and a record for each acknowledged change of an address, and for some without a response. */
export const audit = (emails: { readonly acknowledged: number; readonly unanswered: number }) =>
  Effect.map(Stored.auditRecords, (records) => {
    const changed = records.filter(({ record }) => record.action === "user.change_email").length
    return {
      gaps: records.filter(({ sequence }, index) => sequence !== index + 1).map(({ sequence }) => sequence),
      isComplete: changed >= emails.acknowledged && changed <= emails.acknowledged + emails.unanswered
    }
  })

/** The positions at which the numbers of events do not increase by one. */
export const gaps = (log: Log): ReadonlyArray<string> =>
  log.flatMap(({ sequence }, index) => {
    const before = log[index - 1]?.sequence ?? 0
    return sequence === before + 1 ? [] : [`${before} to ${sequence}`]
  })

/** The first event at which a stream differs from the log: missing, repeated, in another order or different. */
export const difference = (log: Log, { seen }: Follower): Option.Option<string> => {
  const at = log.findIndex((event, index) => seen[index]?.json !== JSON.stringify(EventResource.fromEntity(event)))
  if (at >= 0) return Option.some(`${log[at]?.sequence}, seen as ${seen[at]?.json}`)
  return seen.length === log.length ? Option.none() : Option.some(`${seen[log.length]?.json} after the end`)
}
