import { nextTurn } from "@community-messaging/http-adapter/server/event-loop/NextTurn"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import { FileSystem, HttpServer, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Clock, ConfigProvider, DateTime, Duration, Effect, Layer, Logger, TestClock } from "effect"
import { ServerConfiguration } from "../../src/configuration/Configuration.ts"
import * as Setting from "../../src/configuration/Setting.ts"
import { composition } from "../../src/NodeComposition.ts"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import { TestServer } from "../http/TestServer.ts"

/*
 * The server as it runs, for tests of what a setting changes and of what the server does on its own. Settings are texts by
 * their names, as an operator writes them, so that a test covers the name, the parser, the composition and the effect:
 *
 *   it.scoped("RATE_LIMITS=off answers however often a caller asks", () =>
 *     Effect.gen(function*() {
 *       const { token } = yield* Fixtures.bot
 *       const answers = yield* Effect.replicateEffect(send(LIST, { bot: token }), 41)
 *       expect(answers.map(({ status }) => status)).not.toContain(429)
 *     }).pipe(Effect.provide(composed({ RATE_LIMITS: "off" }))))
 *
 * The test has all use cases and ports in its context, and `send` and `Given` of the HTTP tests. The server's clock is the
 * test's, and `within` lets time pass.
 */

/** Texts by the names of the environment variables. */
export type Settings = Readonly<Record<string, string>>

/** When time begins in these tests. */
export const NOON = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

export const noonPlus = (time: Duration.DurationInput): DateTime.Utc => DateTime.addDuration(NOON, time)

export const noonMinus = (time: Duration.DurationInput): DateTime.Utc => DateTime.subtractDuration(NOON, time)

/** Sets the clock to noon, unless a server of this test has done so. */
const beginAtNoon = Effect.flatMap(
  Clock.currentTimeMillis,
  (now) => now < NOON.epochMillis ? TestClock.setTime(NOON) : Effect.void
)

/** A data directory of the test's own, for two servers on one after another, or for somebody else on its database. */
export const temporaryDirectory = Effect.flatMap(
  FileSystem.FileSystem,
  (files) => files.makeTempDirectoryScoped()
).pipe(Effect.provide(NodeContext.layer))

/** What is configured where these settings are all that is set, on any free port and a directory of its own. */
export const configured = (settings: Settings) =>
  Effect.gen(function*() {
    yield* beginAtNoon
    const DATA_DIR = settings["DATA_DIR"] ?? (yield* temporaryDirectory)
    return yield* Setting.load(
      ServerConfiguration,
      new Map(Object.entries({ PORT: "0", ...settings, DATA_DIR }))
    )
  }).pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map())))

/** The origin of the server, for `send`. */
const servedApi = Layer.effect(
  TestServer,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({ origin: HttpServer.formatAddress(address) }))
)

/**
 * The server that the program runs with these settings after the preparation, and all that it is made of. It serves these
 * pages besides those of the API.
 */
export const composed = <E = never>(
  settings: Settings = {},
  preparation: Effect.Effect<void, E> = Effect.void,
  pages: ReadonlyArray<Page> = []
) =>
  Layer.unwrapScoped(Effect.map(
    configured(settings),
    (configuration) => Layer.provideMerge(servedApi, composition.server(configuration, preparation, pages))
  )).pipe(Layer.provide(NodeContext.layer))

/** The same in real time, for what another process decides, such as PostgreSQL. */
export const composedLive = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.map(
      Setting.load(ServerConfiguration, new Map(Object.entries({ PORT: "0", ...settings }))),
      (configuration) => Layer.provideMerge(servedApi, composition.server(configuration, Effect.void))
    )
  ).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))),
    Layer.provide(Logger.remove(Logger.defaultLogger)),
    Layer.provide(NodeContext.layer)
  )

/** The use cases and ports of another process on the storage of a server, in real time. */
export const besideLive = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.map(
      Setting.load(ServerConfiguration, new Map(Object.entries(settings))),
      ({ data }) => composition.service(data)
    )
  ).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))),
    Layer.provide(Logger.remove(Logger.defaultLogger)),
    Layer.provide(NodeContext.layer)
  )

/** The use cases and ports that the commands have with these settings: a storage on which no server runs. */
export const atRest = (settings: Settings) =>
  Layer.unwrapScoped(Effect.map(configured(settings), ({ data }) => composition.service(data))).pipe(
    Layer.provide(NodeContext.layer)
  )

/** The file of that directory's database. */
export const databaseFile = (directory: string) => Effect.provide(DataDirectory.databaseFile(directory), Path.layer)

/** The database of that directory as another process has it. */
export const databaseOf = (directory: string) =>
  Layer.unwrapEffect(Effect.map(databaseFile(directory), (filename) => SqliteClient.layer({ filename })))

const LOOKS = 20

/** Far more turns of the event loop than an answer over a socket or a piece of work in the background takes. */
const someTurns = Effect.repeatN(nextTurn, 50)

/**
 * Lets time pass until a look sees what is waited for, at most that much; what was seen last. Between looks sockets and
 * work in the background have their turns. No time need pass: then they have those alone.
 */
export const within = <A, E, R>(
  time: Duration.DurationInput,
  look: Effect.Effect<A, E, R>,
  isSeen: (seen: A) => boolean
): Effect.Effect<A, E, R> => {
  const step = Effect.zipRight(TestClock.adjust(Duration.times(time, 1 / LOOKS)), someTurns)
  const from = (looks: number): Effect.Effect<A, E, R> =>
    Effect.filterOrElse(
      look,
      (seen) => isSeen(seen) || looks === 0,
      () => Effect.zipRight(step, from(looks - 1))
    )
  return from(LOOKS)
}
