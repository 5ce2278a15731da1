import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Clock, ConfigProvider, DateTime, Duration, Effect, Layer, Logger, TestClock } from "effect"
import { ServerConfiguration } from "../../src/configuration/Configuration.ts"
import * as Setting from "../../src/configuration/Setting.ts"
import * as ServerComposition from "../../src/ServerComposition.ts"
import { url } from "../../src/serving/Listening.ts"
import { ListeningServer } from "../../src/serving/ListeningServer.ts"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import * as UseCaseComposition from "../../src/UseCaseComposition.ts"
import { TestServer } from "../http/TestServer.ts"

/*
 * The composed server, for tests of the effects of settings and of the background work. Settings are texts by their
 * names, as an operator writes them, so that a test covers the name, the parser, the composition and the effect:
 *
 *   it.scoped("RATE_LIMITS=off limits no caller", () =>
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

/** The beginning of time in these tests. */
export const NOON = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

export const noonPlus = (time: Duration.DurationInput): DateTime.Utc => DateTime.addDuration(NOON, time)

export const noonMinus = (time: Duration.DurationInput): DateTime.Utc => DateTime.subtractDuration(NOON, time)

/** Sets the clock to noon, unless a server of this test has done so. */
const beginAtNoon = Effect.flatMap(
  Clock.currentTimeMillis,
  (now) => now < NOON.epochMillis ? TestClock.setTime(NOON) : Effect.void
)

/** A data directory of the test, for two servers on it in turn, or for another process on its database. */
export const temporaryDirectory = Effect.flatMap(
  FileSystem.FileSystem,
  (files) => files.makeTempDirectoryScoped()
).pipe(Effect.provide(NodeFileSystem.layer))

/** The configuration with only these settings, any free port and a new directory. */
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
  Effect.map(ListeningServer, ({ address }) => ({ origin: url(address) }))
)

/**
 * The server that the program runs with these settings after the preparation, and its services. It serves these pages
 * besides those of the API.
 */
export const composed = <E = never>(
  settings: Settings = {},
  preparation: Effect.Effect<void, E> = Effect.void,
  pages: ReadonlyArray<Page> = []
) =>
  Layer.unwrapScoped(Effect.map(
    configured(settings),
    (configuration) => Layer.provideMerge(servedApi, ServerComposition.server(configuration, preparation, pages))
  )).pipe(Layer.provide(NodeContext.layer))

/** The same in real time, for the decisions of another process, such as PostgreSQL. */
export const composedLive = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.map(
      Setting.load(ServerConfiguration, new Map(Object.entries({ PORT: "0", ...settings }))),
      (configuration) => Layer.provideMerge(servedApi, ServerComposition.server(configuration, Effect.void))
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
      ({ data }) => UseCaseComposition.layer(data)
    )
  ).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))),
    Layer.provide(Logger.remove(Logger.defaultLogger)),
    Layer.provide(NodeContext.layer)
  )

/** The use cases and ports of the commands with these settings: a storage without a running server. */
export const atRest = (settings: Settings) =>
  Layer.unwrapScoped(Effect.map(configured(settings), ({ data }) => UseCaseComposition.layer(data))).pipe(
    Layer.provide(NodeContext.layer)
  )

/** The file of that directory's database. */
export const databaseFile = (directory: string) => Effect.provide(DataDirectory.databaseFile(directory), Path.layer)

/** The database of that directory, like a connection of another process. */
export const databaseOf = (directory: string) =>
  Layer.unwrapEffect(Effect.map(databaseFile(directory), (filename) => SqliteClient.layer({ filename })))

const LOOKS = 20

/** Far more turns of the event loop than a response over a socket or a piece of background work takes. */
const someTurns = Effect.repeatN(nextTurn, 50)

/**
 * Lets time pass until the result of the effect fits, at most that much time; returns the last result. In between,
 * sockets and background work get turns of the event loop, also if the time is 0.
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
