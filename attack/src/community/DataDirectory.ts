import * as TemporaryDirectory from "@community-messaging/bench/report/TemporaryDirectory"
import { store } from "@community-messaging/bench/search/community/Store"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Predicate } from "effect"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DATABASE, runCommand } from "../server/ServerProcess.ts"
import { type Entry, GUILD, RECORDS } from "./Community.ts"

/** Imports the records into the data directory. */
export const importInto = async (directory: string, entries: ReadonlyArray<Entry>): Promise<void> => {
  const file = `${directory}.ndjson`
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
  const { code, output } = await runCommand(directory, ["import", "--strict", file])
  if (code !== 0) throw new Error(`The community was not imported:\n${output.slice(-2000)}`)
}

/** A line of an export. */
export type Exported = Readonly<Record<string, unknown>>

/** Everything in the data directory, as `export` writes it. */
export const exportFrom = async (directory: string): Promise<ReadonlyArray<Exported>> => {
  const file = `${directory}.export.ndjson`
  const { code, output } = await runCommand(directory, ["export", "--force", file])
  if (code !== 0) throw new Error(`The data was not exported:\n${output.slice(-2000)}`)
  return readFileSync(file, "utf8").split("\n").filter((line) => line !== "").map((line): unknown => JSON.parse(line))
    .filter(Predicate.isRecord)
}

/** How often each text was posted. Finds the text of a message in its line. */
export const postedTimes = (
  exported: ReadonlyArray<Exported>,
  textOf: (line: string) => string | undefined
): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const entry of exported) {
    const text = entry["kind"] === "message" ? textOf(JSON.stringify(entry)) : undefined
    if (text !== undefined) times.set(text, (times.get(text) ?? 0) + 1)
  }
  return times
}

/** The members are the same in every run. */
const SEED = 1

const templates = new Map<number, Promise<string>>()

const makeTemplate = async (members: number): Promise<string> => {
  const parent = mkdtempSync(join(tmpdir(), "community-messaging-attack-"))
  process.once("exit", () => rmSync(parent, { recursive: true, force: true }))
  const directory = join(parent, "data")
  mkdirSync(directory, { mode: 0o700 })
  if (members > 0) {
    const filename = join(directory, DATABASE)
    await store({ filename, guildId: GuildId.make(GUILD), members, seed: SEED, smallGuilds: 0, smallGuild: 0 })
  }
  await importInto(directory, RECORDS)
  return directory
}

/** Does the work with a data directory that has the community, and that many members more in its guild. */
export const use = async <A>(members: number, work: (directory: string) => Promise<A>): Promise<A> => {
  const template = templates.get(members) ?? makeTemplate(members)
  templates.set(members, template)
  const from = join(await template, DATABASE)
  return TemporaryDirectory.use(async (parent) => {
    const directory = join(parent, "data")
    cpSync(from, join(directory, DATABASE))
    return work(directory)
  })
}
