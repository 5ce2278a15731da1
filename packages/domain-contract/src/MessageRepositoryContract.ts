import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { Message, MessageId } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { expect } from "@effect/vitest"
import { Array, Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plain = plainData(Message)

/** The contract of `MessageRepository`. */
export const messageRepositoryContract = portContract<MessageRepository>("MessageRepository", ({ it }) => {
  it("a channel's messages are in descending order of their ids by number, page by page, without those of others", function*() {
    const messages = yield* MessageRepository
    const { id: channelId } = yield* Saved.channel()
    yield* messages.insert(Samples.message({ channelId: (yield* Saved.channel()).id }))
    yield* Effect.forEach(SHUFFLED, (id) => messages.insert(Samples.message({ id: MessageId.make(id), channelId })))
    const newestFirst = yield* pages({
      page: ({ after, limit }) => messages.inChannel({ channelId, before: after, limit }),
      key: ({ id }: Message) => id,
      limit: 3
    })
    expect([
      newestFirst.map((page) => page.length),
      newestFirst.flat()
    ])
      .toEqual([[3, 3, 1], ORDERED_PAGES.flat().reverse()])
    const unknown = ChannelId.make(FreshIds.snowflake())
    expect(yield* messages.inChannel({ channelId: unknown, before: Option.none(), limit: 10 })).toEqual([])
  })

  it("any number of messages are found at once, each once, without those that do not exist", function*() {
    const messages = yield* MessageRepository
    const { id: channelId } = yield* Saved.channel()
    const all = Array.makeBy(101, () => Samples.message({ channelId }))
    yield* Effect.forEach(all, messages.insert)
    yield* messages.insert(Samples.message({ channelId }))
    const ids = all.map(({ id }) => id)
    const found = yield* messages.findAll([MessageId.make(FreshIds.snowflake()), ...ids, ...ids])
    const byId = (self: Message, that: Message) => self.id < that.id ? -1 : 1
    expect(found.toSorted(byId).map(plain)).toEqual(all.toSorted(byId).map(plain))
  })
})
