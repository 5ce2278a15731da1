import { Either, Option, Record } from "effect"
import type { Embed } from "../message/Embed.ts"
import type { Announcement } from "./Announcement.ts"
import type { Delivery, Ignored } from "./Delivery.ts"
import { type Text, textOf } from "./NotificationField.ts"

/** Makes the embed about a notification; none if the notification lacks what the message is about. */
export type Render<Notification> = (notification: Notification) => Option.Option<Embed>

/** The notifications about one event of a third party, which can make messages. */
export interface NotificationKind<Notification> {
  /** Whether a notification without an event header is about this event. */
  readonly isInferred: (notification: Notification) => boolean
  /**
   * The message of each action, or one message for all actions. The action is empty if the notification has none. Other
   * actions make no message.
   */
  readonly messages: Render<Notification> | { readonly [action: string]: Render<Notification> }
  /** The announcement of a change that another event announces, too. */
  readonly announcement?: (notification: Notification) => Option.Option<Announcement>
}

/** The headers of a notification. An empty one counts as missing. */
export interface Headers {
  /** The sender's own id of this delivery. */
  readonly deliveryId: string | undefined
  /** The name of the event. */
  readonly event: string | undefined
}

const valueOf = (header: string | undefined): Option.Option<string> =>
  Option.filter(Option.fromNullable(header), (value) => value !== "")

/**
 * Makes the functions of the events of a third party: which event and action makes which message. The events have the names
 * of the third party's event header. The first one that is inferred counts, so specific events come first.
 */
export const make =
  <Notification extends { readonly action?: Text }>() =>
  <Name extends string>(events: { readonly [name in Name]: NotificationKind<Notification> }) => {
    const entries = Record.toEntries(events)
    const isName = (name: string): name is Name => Object.hasOwn(events, name)

    /** Returns the event by the value of the header, or inferred without it; none if it never makes a message. */
    const eventOf = (header: Option.Option<string>, notification: Notification): Option.Option<Name> =>
      Option.match(header, {
        onNone: () =>
          Option.map(
            Option.fromNullable(entries.find(([, { isInferred }]) => isInferred(notification))),
            ([name]) => name
          ),
        onSome: Option.liftPredicate(isName)
      })

    const embedOf = (
      { messages }: NotificationKind<Notification>,
      notification: Notification
    ): Either.Either<Embed, Ignored> => {
      const message = typeof messages === "function"
        ? Option.some(messages)
        : Record.get(messages, textOf(notification.action))
      return Either.fromOption(Option.flatMap(message, (render) => render(notification)), () => "action ignored")
    }

    /** Makes the delivery of a notification. */
    const delivery = (headers: Headers, notification: Notification): Delivery => {
      const event = Option.map(eventOf(valueOf(headers.event), notification), (name) => events[name])
      return {
        deliveryId: valueOf(headers.deliveryId),
        embed: Option.match(event, {
          onNone: () => Either.left("event ignored"),
          onSome: (known) => embedOf(known, notification)
        }),
        announcement: Option.flatMap(event, ({ announcement }) => announcement?.(notification) ?? Option.none())
      }
    }

    return { delivery, eventOf }
  }
