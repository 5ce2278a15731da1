import { MAX_ATTEMPTS } from "@community-messaging/domain/scheduled-message/DeliveryAttempt"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"

/*
 * A model of the rules on due dates, as simple as possible: no storage, no transactions, no fibers. All times are in
 * Unix milliseconds. It has a few accounts, inside or outside one guild, and messages by their numbers.
 */

const SECOND = 1000
const DAY = 86_400 * SECOND
const LEASE = 30 * SECOND
const RETENTION = 31 * DAY
const FURTHEST = 365 * DAY

export interface Message {
  readonly author: number
  readonly status: ScheduledMessageStatus
  readonly scheduledAt: number
  readonly attempts: number
  readonly nextAttemptAt: number | undefined
  readonly endedAt: number | undefined
  /** When the lease of its claimant ends. */
  readonly leasedUntil: number
  /** How often it was posted. */
  readonly posted: number
  /** Whether it was removed, long after it ended. */
  readonly removed: boolean
}

export interface Account {
  readonly isMember: boolean
  readonly deletionAt: number | undefined
  readonly isDeleted: boolean
  /** When the lease of its claimant ends. */
  readonly leasedUntil: number
}

export interface Model {
  readonly now: number
  readonly accounts: ReadonlyArray<Account>
  readonly messages: ReadonlyArray<Message>
}

/** The model after a command, and the result of the command: `ok`, or the name of the error. */
export interface Outcome {
  readonly model: Model
  readonly answer: string
}

const ok = (model: Model): Outcome => ({ model, answer: "ok" })

/** A model with accounts in the guild, and nothing else. */
export const initial = (now: number, accounts: number): Model => ({
  now,
  accounts: Array.from({ length: accounts }, () => ({
    isMember: true,
    deletionAt: undefined,
    isDeleted: false,
    leasedUntil: 0
  })),
  messages: []
})

const withMessage = (model: Model, number: number, changes: Partial<Message>): Model => ({
  ...model,
  messages: model.messages.map((message, index) => index === number ? { ...message, ...changes } : message)
})

const withAccount = (model: Model, number: number, changes: Partial<Account>): Model => ({
  ...model,
  accounts: model.accounts.map((account, index) => index === number ? { ...account, ...changes } : account)
})

const isMember = (model: Model, author: number): boolean => model.accounts[author]?.isMember === true

/** Whether the author of the message is in the guild. */
export const hasAccess = (model: Model, number: number): boolean => {
  const message = model.messages[number]
  return message !== undefined && isMember(model, message.author)
}

const isAhead = (model: Model, at: number): boolean => at > model.now && at <= model.now + FURTHEST

/** Time passes. */
export const advance = (model: Model, millis: number): Model => ({ ...model, now: model.now + millis })

/** The author schedules a message. */
export const schedule = (model: Model, author: number, at: number): Outcome => {
  if (!isAhead(model, at)) return { model, answer: "ScheduledTimeOutOfRange" }
  if (!isMember(model, author)) return { model, answer: "UndeliverableMessage" }
  const message: Message = {
    author,
    status: "scheduled",
    scheduledAt: at,
    attempts: 0,
    nextAttemptAt: undefined,
    endedAt: undefined,
    leasedUntil: 0,
    posted: 0,
    removed: false
  }
  return ok({ ...model, messages: [...model.messages, message] })
}

/** The author edits the message, and moves it if a time is given. */
export const edit = (model: Model, number: number, at: number | undefined): Outcome => {
  const message = model.messages[number]
  if (message === undefined || message.removed) return { model, answer: "UnknownScheduledMessage" }
  if (message.status === "sent" || message.status === "cancelled") {
    return { model, answer: "IllegalScheduledMessageTransition" }
  }
  const beginsAfresh = message.status === "invalid" || message.status === "failed"
  const scheduledAt = at ?? message.scheduledAt
  if ((at !== undefined || beginsAfresh) && !isAhead(model, scheduledAt)) {
    return { model, answer: "ScheduledTimeOutOfRange" }
  }
  if (!isMember(model, message.author)) return { model, answer: "UndeliverableMessage" }
  return ok(withMessage(model, number, {
    status: "scheduled",
    scheduledAt,
    attempts: 0,
    nextAttemptAt: undefined,
    endedAt: undefined,
    leasedUntil: 0
  }))
}

/** The author cancels the message. */
export const cancel = (model: Model, number: number): Outcome => {
  const message = model.messages[number]
  if (message === undefined || message.removed) return { model, answer: "UnknownScheduledMessage" }
  if (message.status === "sent" || message.status === "cancelled") {
    return { model, answer: "IllegalScheduledMessageTransition" }
  }
  return ok(withMessage(model, number, { status: "cancelled", endedAt: model.now, leasedUntil: 0 }))
}

/** The deletion of the account is scheduled in `days` days. */
export const scheduleDeletion = (model: Model, number: number, days: number): Outcome =>
  model.accounts[number]?.isDeleted === true
    ? { model, answer: "UnknownUser" }
    : ok(withAccount(model, number, { deletionAt: model.now + days * DAY }))

/** The deletion of the account is cancelled. */
export const cancelDeletion = (model: Model, number: number): Outcome => {
  const account = model.accounts[number]
  if (account === undefined || account.isDeleted) return { model, answer: "UnknownUser" }
  if (account.deletionAt === undefined) return { model, answer: "NoDeletionScheduled" }
  return ok(withAccount(model, number, { deletionAt: undefined, leasedUntil: 0 }))
}

/** The account joins the guild, or leaves it. A deleted account does neither. */
export const moveMember = (model: Model, number: number): Model =>
  withAccount(model, number, { isMember: model.accounts[number]?.isMember === false })

const messageDueAt = (message: Message): number =>
  message.status === "scheduled" ? message.nextAttemptAt ?? message.scheduledAt : Number.POSITIVE_INFINITY

const accountDueAt = (account: Account): number =>
  account.isDeleted ? Number.POSITIVE_INFINITY : account.deletionAt ?? Number.POSITIVE_INFINITY

export interface Work {
  readonly number: number
  readonly at: number
}

const claimable = <A extends { readonly leasedUntil: number }>(
  items: ReadonlyArray<A>,
  dueAt: (item: A) => number,
  now: number
): ReadonlyArray<Work> =>
  items
    .flatMap((item, number) => dueAt(item) <= now && item.leasedUntil <= now ? [{ number, at: dueAt(item) }] : [])
    .toSorted((self, that) => self.at - that.at || self.number - that.number)

/** Messages that can be claimed now, soonest first. */
export const dueMessages = (model: Model): ReadonlyArray<Work> => claimable(model.messages, messageDueAt, model.now)

/** Accounts that can be claimed for their deletion now, soonest first. */
export const dueAccounts = (model: Model): ReadonlyArray<Work> => claimable(model.accounts, accountDueAt, model.now)

const earliest = <A extends { readonly leasedUntil: number }>(
  items: ReadonlyArray<A>,
  dueAt: (item: A) => number
): number | undefined => {
  const next = Math.min(...items.map((item) => Math.max(dueAt(item), item.leasedUntil)))
  return Number.isFinite(next) ? next : undefined
}

/** When a message can be claimed next. */
export const nextDueAt = (model: Model): number | undefined => earliest(model.messages, messageDueAt)

/** When an account can be claimed next. */
export const nextDeletionAt = (model: Model): number | undefined => earliest(model.accounts, accountDueAt)

/** The message is posted, or becomes invalid if its author is not in the guild. */
export const deliver = (model: Model, number: number): Model => {
  const ended = { endedAt: model.now, leasedUntil: 0 }
  return hasAccess(model, number)
    ? withMessage(model, number, { ...ended, status: "sent", posted: (model.messages[number]?.posted ?? 0) + 1 })
    : withMessage(model, number, { ...ended, status: "invalid" })
}

/** An attempt to post the message fails: there is another one later, or it was the last. */
export const failAttempt = (model: Model, number: number): Model => {
  const attempts = (model.messages[number]?.attempts ?? 0) + 1
  return withMessage(
    model,
    number,
    attempts === MAX_ATTEMPTS
      ? { status: "failed", attempts, endedAt: model.now, leasedUntil: 0 }
      : { attempts, nextAttemptAt: model.now + 2 ** (attempts - 1) * SECOND, leasedUntil: 0 }
  )
}

/** Posting the message fails, if it is attempted. */
export const failToPost = (model: Model, number: number): Model =>
  hasAccess(model, number) ? failAttempt(model, number) : deliver(model, number)

/** A claimant has the message, and does not handle it. */
export const claimMessage = (model: Model, number: number): Model =>
  withMessage(model, number, { leasedUntil: model.now + LEASE })

/** A claimant has the account, and does not handle it. */
export const claimAccount = (model: Model, number: number): Model =>
  withAccount(model, number, { leasedUntil: model.now + LEASE })

/** The account is deleted, and its undelivered messages are cancelled. */
export const deleteAccount = (model: Model, number: number): Model => ({
  ...withAccount(model, number, { isDeleted: true, isMember: false }),
  messages: model.messages.map((message) =>
    message.author !== number || message.removed || message.status === "sent" || message.status === "cancelled"
      ? message
      : { ...message, status: "cancelled", endedAt: model.now, leasedUntil: 0 }
  )
})

/** Messages that ended long ago are removed. */
export const removeExpired = (model: Model): Model => ({
  ...model,
  messages: model.messages.map((message) =>
    message.endedAt !== undefined && message.endedAt < model.now - RETENTION ? { ...message, removed: true } : message
  )
})

/** The observable state of the messages and accounts. */
export const observed = (model: Model) => ({
  messages: model.messages.flatMap((message, number) =>
    message.removed ? [] : [{
      number,
      status: message.status,
      scheduledAt: message.scheduledAt,
      attempts: message.attempts,
      nextAttemptAt: message.nextAttemptAt,
      endedAt: message.endedAt
    }]
  ),
  accounts: model.accounts.map(({ deletionAt, isDeleted, isMember: member }) => ({
    deletionAt,
    isDeleted,
    isMember: member
  })),
  nextDueAt: nextDueAt(model),
  nextDeletionAt: nextDeletionAt(model)
})

/** The numbers of the posted messages, each as often as it was posted. */
export const posted = (model: Model): ReadonlyArray<number> =>
  model.messages.flatMap((message, number) => Array.from({ length: message.posted }, () => number))
