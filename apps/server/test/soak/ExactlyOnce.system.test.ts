import * as EventStream from "@community-messaging/domain/event/EventStream"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { beforeAll, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Random, Stream } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import { dataDirectory } from "../command-line/Terminal.ts"
import { build, serve } from "../program/Program.ts"
import { AUTHOR, contentOf, posted, seedMessages } from "./DueWork.ts"

/** The number of due messages; `npm run test:soak` sets more. */
const MESSAGES = Number(process.env["SOAK_MESSAGES"] ?? 200)

/** How many times a server is killed meanwhile. */
const KILLS = Number(process.env["SOAK_KILLS"] ?? 2)

const TIMEOUT_MILLIS = 60_000 + MESSAGES * 100

/** The number of posts in the log, counted as they happen. */
const counted = EventStream.from(0).pipe(
  Stream.filter(({ event }) => event._tag === "message.created"),
  Stream.zipWithIndex,
  Stream.map(([, index]) => index + 1)
)

beforeAll(build, TIMEOUT_MILLIS)

it.scopedLive(
  `two servers on one file, killed ${KILLS} times, post each of ${MESSAGES} due messages exactly once`,
  () =>
    Effect.gen(function*() {
      const directory = yield* dataDirectory
      yield* DataDirectory.prepare(directory)
      const filename = yield* DataDirectory.databaseFile(directory)
      const startServer = serve([], { DATA_DIR: directory, CLAIM_LEASE: "1 seconds", LOG_LEVEL: "info" })

      yield* Effect.gen(function*() {
        yield* seedMessages(MESSAGES)
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

        expect(yield* posted(MESSAGES * 2)).toEqual(Arrays.makeBy(MESSAGES, (index) => contentOf(index + 1)).sort())
        const scheduled = yield* ScheduledMessageRepository
        expect(yield* scheduled.undelivered(AUTHOR)).toEqual([])
        const sent = yield* scheduled.inStatus({ authorId: AUTHOR, statuses: ["sent"], limit: MESSAGES * 2 })
        expect(sent).toHaveLength(MESSAGES)
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
    }).pipe(Effect.provide(NodeContext.layer), Effect.withRandom(Random.make("kills"))),
  TIMEOUT_MILLIS
)
