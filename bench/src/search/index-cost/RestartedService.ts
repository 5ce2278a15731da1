/* oxlint-disable no-await-in-loop -- One after the other: whatever is measured has the machine for itself. */
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Schema } from "effect"
import { setImmediate, setTimeout } from "node:timers/promises"
import { program } from "../subject/MemberSearchSubject.ts"
import { type Restarted, RestartOrder } from "./Restart.ts"

/*
 * The service as a process that has just been started: node RestartedService.js <order>. Tells its parent what it found.
 */

/** The least time in which the event loop is watched afterwards, in milliseconds. */
const AFTERWARDS_MILLIS = 500

const { filename, large, small } = Schema.decodeUnknownSync(Schema.parseJson(RestartOrder))(process.argv[2])
const service = program(StorageSqlite.layer({ filename }))

/** Watches the event loop until it is told to stop: how long its longest turn was, in milliseconds. */
const watch = () => {
  const end = new AbortController()
  let longest = 0
  const watching = (async () => {
    let last = performance.now()
    while (!end.signal.aborted) {
      await setImmediate()
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  return async () => {
    end.abort()
    await watching
    return longest
  }
}

const TERMS = ["a", "ma", "alex", "son", "maria", "night", "the"]

/** Searches the small guilds, one after the other, until told to stop: how long each search took, in milliseconds. */
const load = () => {
  const end = new AbortController()
  const taken: Array<number> = []
  const loading = (async () => {
    for (let turn = 0; !end.signal.aborted; turn++) {
      const query = MemberQuery.make({ text: TERMS[turn % TERMS.length] ?? "" })
      for (const { guildId, ownerId } of small.slice(turn % Math.max(1, small.length)).slice(0, 1)) {
        const begin = performance.now()
        await service.search(ownerId, guildId, query)
        taken.push(performance.now() - begin)
      }
      // As somebody does whose next request comes through a socket.
      await setImmediate()
    }
  })()
  return async () => {
    end.abort()
    await loading
    return taken
  }
}

const firstSearches: Array<number> = []
for (const { guildId, ownerId } of small) {
  const begin = performance.now()
  await service.searchIndexed(ownerId, guildId, MemberQuery.make({ text: "alex" }))
  firstSearches.push(performance.now() - begin)
}

const searched = async () => {
  const begin = performance.now()
  const { total } = await service.searchIndexed(large.ownerId, large.guildId, MemberQuery.make({}))
  return { total, sinceStart: performance.now(), sinceAsked: performance.now() - begin }
}

const underLoad = async <A>(work: () => Promise<A>) => {
  const endLoad = load()
  const endWatch = watch()
  const result = await work()
  const longest = await endWatch()
  return { result, longest, taken: await endLoad() }
}

const indexed = small.length === 0
  ? { result: await searched(), longest: 0, taken: [] }
  : await underLoad(searched)
const afterwards = small.length === 0
  ? 0
  : (await underLoad(() => setTimeout(Math.max(AFTERWARDS_MILLIS, indexed.result.sinceAsked)))).longest
await service.close()

const restarted: Restarted = {
  ...indexed.result,
  firstSearches,
  longestHold: indexed.longest,
  longestHoldAfterwards: afterwards,
  searchesMeanwhile: indexed.taken
}
process.send?.(restarted)
