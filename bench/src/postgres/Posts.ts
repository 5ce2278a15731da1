import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Redacted } from "effect"
import { join } from "node:path"
import { type Contender, contender, measure } from "../durable/Contenders.ts"
import * as ServicePosts from "../durable/ServicePosts.ts"
import { inTurn } from "../report/InTurn.ts"
import type { RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import * as RawPosts from "./RawPosts.ts"

/** Notifications in flight, as on a busy server; a second measurement has one. */
export const MANY = 32

/** Connections of the raw loop and of the service: the default of a server. */
export const CONNECTIONS = 10

/** The figures. */
export interface MeasuredPosts {
  /** With that many at once; the raw loop first, then the service on PostgreSQL, then on SQLite. */
  readonly many: readonly [raw: Contender, postgres: Contender, sqlite: Contender]
  readonly single: readonly [raw: Contender, postgres: Contender, sqlite: Contender]
}

/** Notifications through `Webhooks.post` on PostgreSQL, beside a raw loop of `pg` and the same on SQLite. */
export const run = (
  urls: { readonly raw: string; readonly service: string },
  { calibrate, log, quick }: RunOptions
): Promise<MeasuredPosts> =>
  TemporaryDirectory.use(async (directory) => {
    const storage = (url: string) => StoragePostgres.layer({ url: Redacted.make(url), poolSize: CONNECTIONS })
    // The service creates the schema for the raw loop, and stores one notification, whose rows the loop copies.
    const maker = await ServicePosts.open(storage(urls.raw))
    await maker.post(1, 1)
    await maker.close()
    const raw = await RawPosts.open(urls.raw, maker.webhookId, CONNECTIONS)
    const postgres = await ServicePosts.open(storage(urls.service))
    const sqlite = await ServicePosts.open(StorageSqlite.layer({ filename: join(directory, "service.db") }))
    try {
      log("notifications: warming up")
      // Until then the compiler takes most of the time.
      const warmUp = quick ? 1000 : 3000
      await inTurn([raw, postgres, sqlite], ({ post }) => post(warmUp, MANY))
      const contenders = (callers: number): MeasuredPosts["many"] => [
        contender(`raw pg, ${callers} at once`, (howMany) => raw.post(howMany, callers)),
        contender(`PostgreSQL, ${callers} at once`, (howMany) => postgres.post(howMany, callers)),
        contender(`SQLite, ${callers} at once`, (howMany) => sqlite.post(howMany, callers))
      ]
      const measured = {
        many: contenders(MANY),
        single: contenders(1)
      }
      await measure(
        [...measured.many, ...measured.single],
        quick ? 3 : 9,
        quick ? 150 : 600,
        (round) => {
          log(`notifications, round ${round}`)
          calibrate()
        }
      )
      return measured
    } finally {
      await Promise.all([raw.close(), postgres.close(), sqlite.close()])
    }
  })
