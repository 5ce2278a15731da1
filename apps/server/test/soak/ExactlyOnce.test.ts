import { UserId } from "@community-messaging/domain/account/User"
import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { NodeContext } from "@effect/platform-node"
import { beforeAll, expect, it } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, Option, Random, Stream } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import { dataDirectory } from "../command-line/Terminal.ts"
import { build, serve } from "../program/Program.ts"

/** How many messages are due; `npm run test:soak` sets more. */
const MESSAGES = Number(process.env["SOAK_MESSAGES"] ?? 200)

/** How many times a server is killed on the way. */
const KILLS = Number(process.env["SOAK_KILLS"] ?? 2)

const PATIENCE_MILLIS = 60_000 + MESSAGES * 100

const GUILD = GuildId.make("10")
const CHANNEL = ChannelId.make("11")
const AUTHOR = UserId.make("12")

const contentOf = (number: number): string => `message ${number}`

/** A community in which half of the messages were due an hour ago and the others become due within a second. */
const seed = Effect.gen(function*() {
  const { save: saveUser } = yield* UserRepository
  const guilds = yield* GuildRepository
  const { save: saveMembership } = yield* MembershipRepository
  const scheduled = yield* ScheduledMessageRepository
  const { atomically } = yield* UnitOfWork
  const now = yield* DateTime.now
  yield* atomically(Effect.gen(function*() {
    yield* saveUser(Users.create({ id: AUTHOR, username: "author", bot: true }))
    yield* guilds.save({ id: GUILD, name: "guild", ownerId: AUTHOR })
    yield* guilds.saveChannel({ id: CHANNEL, guildId: GUILD, name: "general" })
    yield* saveMembership(Membership.make({ guildId: GUILD, userId: AUTHOR, roleIds: [], joinedAt: 0 }))
    yield* Effect.forEach(Arrays.range(1, MESSAGES), (number) =>
      scheduled.insert(ScheduledMessage.make({
        id: ScheduledMessageId.make(String(1000 + number)),
        authorId: AUTHOR,
        channelId: CHANNEL,
        scheduledAt: number % 2 === 0
          ? DateTime.subtract(now, { hours: 1 })
          : DateTime.add(now, { millis: Math.floor((1000 * number) / MESSAGES) }),
        scheduledLocalAt: LocalDateTime.make("2027-01-01T00:00:00"),
        timezone: TimeZoneName.make("UTC"),
        status: "scheduled",
        payload: MessagePayload.make({ content: Option.some(contentOf(number)) }),
        createdAt: now
      })))
  }))
})

/** Everything that was posted, by what it says. */
const posted = Effect.gen(function*() {
  const messages = yield* MessageRepository
  const all = yield* messages.inChannel({ channelId: CHANNEL, before: Option.none(), limit: MESSAGES * 2 })
  return all.map(({ payload }) => Option.getOrElse(payload.content, () => "")).sort()
})

/** How many posts the log tells of, counted as they come. */
const counted = EventStream.from(0).pipe(
  Stream.filter(({ event }) => event._tag === "message.created"),
  Stream.zipWithIndex,
  Stream.map(([, index]) => index + 1)
)

beforeAll(build, PATIENCE_MILLIS)

it.scopedLive(
  `two servers on one file, killed ${KILLS} times, post each of ${MESSAGES} due messages exactly once`,
  () =>
    Effect.gen(function*() {
      const directory = yield* dataDirectory
      yield* DataDirectory.prepare(directory)
      const filename = yield* DataDirectory.databaseFile(directory)
      const startServer = serve([], { DATA_DIR: directory, CLAIM_LEASE: "1 seconds", LOG_LEVEL: "info" })

      yield* Effect.gen(function*() {
        yield* seed
        const servers = yield* Effect.all([startServer, startServer])
        const killOne = Effect.gen(function*() {
          const victim = yield* Random.nextIntBetween(0, servers.length)
          yield* Effect.fromNullable(servers[victim]).pipe(
            Effect.tap((server) => Effect.zipRight(server.signal("SIGKILL"), server.ended)),
            Effect.orDie
          )
          servers[victim] = yield* startServer
        })
        const killedAt = Arrays.makeBy(KILLS, (kill) => Math.floor((MESSAGES * (kill + 1)) / (KILLS + 1)))
        yield* counted.pipe(
          Stream.tap((count) => killedAt.includes(count) ? killOne : Effect.void),
          Stream.take(MESSAGES),
          Stream.runDrain
        )

        expect(yield* posted).toEqual(Arrays.makeBy(MESSAGES, (index) => contentOf(index + 1)).sort())
        const scheduled = yield* ScheduledMessageRepository
        expect(yield* scheduled.undelivered(AUTHOR)).toEqual([])
        const sent = yield* scheduled.inStatus({ authorId: AUTHOR, statuses: ["sent"], limit: MESSAGES * 2 })
        expect(sent).toHaveLength(MESSAGES)
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
    }).pipe(Effect.provide(NodeContext.layer), Effect.withRandom(Random.make("kills"))),
  PATIENCE_MILLIS
)
