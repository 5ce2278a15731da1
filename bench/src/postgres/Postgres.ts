import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { Client } from "pg"
import type { Part, PartResult } from "../report/Measurement.ts"
import * as EventNumbering from "./EventNumbering.ts"
import * as Forwarding from "./Forwarding.ts"
import * as ForwardingReport from "./ForwardingReport.ts"
import * as LargeGuild from "./LargeGuild.ts"
import * as LargeGuildReport from "./LargeGuildReport.ts"
import * as PostgresReport from "./PostgresReport.ts"
import * as Posts from "./Posts.ts"
import * as Servers from "./Servers.ts"

/** The default settings, with durable commits, and with enough connections for the servers of this benchmark. */
const SETTINGS = { max_connections: "200" }

const versionOf = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ readonly server_version: string }>("SHOW server_version")
  await client.end()
  return rows[0]?.server_version ?? ""
}

/** Measures with that many empty databases, and drops them afterwards. */
const withDatabases = (
  howMany: number,
  measure: (urls: ReadonlyArray<string>) => Promise<PartResult>
): Promise<PartResult> =>
  Effect.runPromise(Effect.scoped(
    LocalPostgres.start(SETTINGS).pipe(
      Effect.flatMap(({ database }) => Effect.replicateEffect(database, howMany)),
      Effect.flatMap((urls) => Effect.promise(() => measure(urls)))
    )
  ))

/** Notifications, HTTP and several servers on one PostgreSQL. */
export const run: Part = (options) =>
  withDatabases(3, async ([raw = "", service = "", shared = ""]) => {
    const version = await versionOf(raw)
    const posts = await Posts.run({ raw, service }, options)
    const numbering = await EventNumbering.run(raw, options)
    const servers = await Servers.run(shared, options)
    return PostgresReport.make({ posts, numbering, servers }, availableParallelism(), version)
  })

/** Member search of a large guild on PostgreSQL. */
export const runLargeGuild: Part = (options) =>
  withDatabases(1, async ([url = ""]) => LargeGuildReport.make(await LargeGuild.run(url, options)))

/** Searches that one server forwards to another one. */
export const runForwarding: Part = (options) =>
  withDatabases(1, async ([url = ""]) => ForwardingReport.make(await Forwarding.run(url, options)))
