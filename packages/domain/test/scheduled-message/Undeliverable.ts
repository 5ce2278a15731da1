import * as Saved from "@community-messaging/domain-contract/Saved"
import { saying } from "@community-messaging/domain-contract/world/Scene"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { Schedule } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Effect } from "effect"

/** Cases in which a message cannot be delivered: a name, the change that causes it, and the reason for the author. */
export const UNDELIVERABLE: ReadonlyArray<
  readonly [what: string, change: Effect.Effect<Partial<Schedule>, unknown, StoragePorts>, reason: string]
> = [
  ["the channel is gone", Effect.succeed({ channelId: ChannelId.make("1") }), "The channel is gone."],
  [
    "the author is not in the guild",
    Effect.map(Saved.channel(), ({ id }) => ({ channelId: id })),
    "The author has no access to the channel."
  ],
  ["the message is empty", Effect.succeed({ payload: saying(" \n") }), "The message is empty."],
  [
    "the message breaks a limit",
    Effect.succeed({ payload: saying("x".repeat(4001)) }),
    "The content is longer than 4000 characters."
  ]
]
