import { Schema } from "effect"
import { UserDeleted, UserDeletionCancelled, UserDeletionScheduled, UserUpdated } from "../account/UserEvents.ts"
import { MemberJoined, MemberLeft, MemberUpdated } from "../guild/MemberEvents.ts"
import { MessageCreated } from "../message/MessageEvents.ts"
import { ConsentGranted } from "../oauth2/ConsentEvents.ts"
import { ScheduledMessageUpdated } from "../scheduled-message/ScheduledMessageEvents.ts"
import type { Event } from "../shared-kernel/Event.ts"
import { WebhookDeleted, WebhookUpdated } from "../webhook/WebhookEvents.ts"

/** The union of all events of the domain. */
export const DomainEvent = Schema.Union(
  MessageCreated,
  ScheduledMessageUpdated,
  UserUpdated,
  UserDeletionScheduled,
  UserDeletionCancelled,
  UserDeleted,
  WebhookUpdated,
  WebhookDeleted,
  ConsentGranted,
  MemberJoined,
  MemberUpdated,
  MemberLeft
)
export type DomainEvent = typeof DomainEvent.Type

const TYPES: ReadonlySet<string> = new Set(DomainEvent.members.map(({ type }) => type))

/** Returns whether the event is a `DomainEvent`. Its `_tag` is enough, because each type is declared once. */
export const isDomainEvent = (event: Event): event is DomainEvent => TYPES.has(event._tag)
