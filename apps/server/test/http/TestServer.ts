import type { Credentials } from "@community-messaging/domain/access/Credentials"
import type { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import type { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import type { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { layer, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import * as RawClient from "./RawClient.ts"

/** The origin of the API under test, such as `http://127.0.0.1:8080`. */
export class TestServer extends Context.Tag("@community-messaging/server/test/TestServer")<
  TestServer,
  { readonly origin: string }
>() {}

/** A connection to the API under test, which ends with the scope. */
export const connected = Effect.flatMap(TestServer, ({ origin }) => RawClient.open(Number(new URL(origin).port)))

/** The services of a suite: the API, and its storage and use cases, for preparations and checks. */
export type TestServices = TestServer | StoragePorts | Credentials | Webhooks | SnowflakeGenerator | Digest

/** The address of a Node server without a listener so far. */
const listening = Effect.acquireRelease(
  Effect.async<{ readonly origin: string; readonly server: ReturnType<typeof createServer> }>((resume) => {
    const server = createServer(Connections.SERVER_OPTIONS)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, server }))
    })
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

/** The differences of an API under test from the default. */
export interface Differences<E> {
  readonly storage?: Layer.Layer<StoragePorts, E>
  readonly rateLimits?: Layer.Layer<RateLimits>
  readonly images?: Layer.Layer<ImageInspector>
  readonly options?: Partial<HttpAdapter.Options>
  readonly connections?: Connections.Options
  readonly logger?: Logger.Logger<unknown, unknown>
  /** Wraps the listener for a Node server that manages its connections itself. */
  readonly mount?: (listener: RequestListener) => RequestListener
  /** Services that must start before the API. */
  readonly before?: Layer.Layer<never>
}

/** The whole API on a storage, behind a real socket. By default in memory, without limits and without a log. */
export const testServer = <E = never>(differences: Differences<E> = {}): Layer.Layer<TestServices, E> =>
  Layer.scoped(
    TestServer,
    Effect.gen(function*() {
      const { origin, server } = yield* listening
      const options = { publicUrl: origin, ...differences.options }
      if (differences.mount === undefined) {
        const { serve } = yield* Connections.make(server, differences.connections)
        serve(yield* HttpAdapter.make(options))
      } else {
        server.on("request", differences.mount(yield* HttpAdapter.listener(options)))
      }
      return { origin }
    })
  ).pipe(
    Layer.provide([differences.rateLimits ?? RateLimits.layerOff, differences.before ?? Layer.empty]),
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(SnowflakeGenerator.layer(1)),
    Layer.provideMerge(
      Layer.mergeAll(
        differences.storage ?? StorageMemory.layer,
        PlatformNode.layer,
        differences.images ?? Layer.empty
      )
    ),
    Layer.provide(Logger.replace(Logger.defaultLogger, differences.logger ?? Logger.none)),
    Layer.orDie
  )

/** SQLite storage in a file of its own. */
export const temporarySqlite = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "http-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    ),
    (directory) => StorageSqlite.layer({ filename: join(directory, "database.sqlite") })
  )
)

/** PostgreSQL storage in a database of its own. */
export const temporaryPostgres = Layer.unwrapScoped(
  Effect.map(emptyDatabase, (url) => StoragePostgres.layer({ url: Redacted.make(url) }))
)

/** The storages of the API in these tests. */
const STORAGES = [
  ["memory", StorageMemory.layer],
  ["SQLite", temporarySqlite],
  ["PostgreSQL", temporaryPostgres]
] as const

/** Mutation tests change only the code of HTTP, and run each test many times. */
const isMutating = process.env["MUTATION_PART"] !== undefined

const storages = isMutating ? STORAGES.slice(0, 1) : STORAGES

type Tests = (it: Vitest.MethodsNonLive<TestServices, true>) => void

/** Runs the tests over the served API, from memory: for behaviour that does not depend on the storage. */
export const onMemory = (name: string, tests: Tests): void =>
  layer(testServer(), { excludeTestServices: true })(name, tests)

/** Runs the tests over the served API once for each storage. */
export const onEachStorage = (name: string, tests: Tests): void => {
  for (const [storage, storageLayer] of storages) {
    layer(testServer({ storage: storageLayer }), { excludeTestServices: true })(`${name}, from ${storage}`, tests)
  }
}
