import { Option, Record } from "effect"
import type { Embed } from "../message/Embed.ts"
import { type Text, textOf } from "./NotificationField.ts"

/** Makes the embed about a notification; none if the notification lacks what the message is about. */
export type Message<Notification> = (notification: Notification) => Option.Option<Embed>

/** An event of a third party that can make a message. */
export interface Event<Notification> {
  /** Whether a notification without an event header is about this event. */
  readonly isInferred: (notification: Notification) => boolean
  /**
   * The message of each action, or one message for all actions. The action is empty if the notification has none. Other
   * actions make no message.
   */
  readonly messages: Message<Notification> | { readonly [action: string]: Message<Notification> }
}

/**
 * Makes the functions of the events of a third party: which event and action makes which message. The events have the names
 * of the third party's event header. The first one that is inferred counts, so specific events come first.
 */
export const make =
  <Notification extends { readonly action?: Text }>() =>
  <Name extends string>(events: { readonly [name in Name]: Event<Notification> }) => {
    const entries = Record.toEntries(events)
    const isName = (name: string): name is Name => Object.hasOwn(events, name)
    const infer = (notification: Notification): Option.Option<Name> =>
      Option.map(
        Option.fromNullable(entries.find(([, { isInferred }]) => isInferred(notification))),
        ([name]) => name
      )

    /** Returns the event by the value of the header, or inferred without it; none if it never makes a message. */
    const eventOf = (header: Option.Option<string>, notification: Notification): Option.Option<Name> =>
      Option.match(header, { onNone: () => infer(notification), onSome: Option.liftPredicate(isName) })

    /** Returns the embed that is posted; none if the event, or its action, makes no message. */
    const embed = (header: Option.Option<string>, notification: Notification): Option.Option<Embed> =>
      Option.flatMap(eventOf(header, notification), (name) => {
        const { messages }: Event<Notification> = events[name]
        return typeof messages === "function"
          ? messages(notification)
          : Option.flatMap(Record.get(messages, textOf(notification.action)), (message) => message(notification))
      })

    return { embed, eventOf }
  }
