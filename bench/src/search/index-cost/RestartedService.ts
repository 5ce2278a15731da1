/* oxlint-disable no-await-in-loop -- One after the other: each subject has the machine to itself. */
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Schema } from "effect"
import { setImmediate, setTimeout } from "node:timers/promises"
import { program } from "../subject/MemberSearchSubject.ts"
import { type Restarted, RestartOrder } from "./Restart.ts"

/*
 * A process that has just started the service: node RestartedService.js <order>. Sends its parent the result.
 */

/** The period afterwards, in milliseconds. */
const AFTERWARDS_MILLIS = 1000

const { filename, large, small } = Schema.decodeUnknownSync(Schema.parseJson(RestartOrder))(process.argv[2])
const service = program(StorageSqlite.layer({ filename }))

/** Watches the event loop; the returned function stops, and returns the longest turn in milliseconds. */
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

/** Searches the small guilds in turn; the returned function stops, and returns the time of each search in milliseconds. */
const load = () => {
  const end = new AbortController()
  const taken: Array<number> = []
  const loading = (async () => {
    for (let turn = 0; !end.signal.aborted; turn++) {
      const query = MemberQuery.make({ text: TERMS[turn % TERMS.length] ?? "" })
      for (const { guildId, ownerId } of small.slice(turn % small.length).slice(0, 1)) {
        const begin = performance.now()
        await service.search(ownerId, guildId, query)
        taken.push(performance.now() - begin)
      }
      // Like a client whose next request comes through a socket.
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

const underLoad = async (work: () => Promise<unknown>) => {
  const endLoad = load()
  const endWatch = watch()
  const begin = performance.now()
  await work()
  const taken = performance.now() - begin
  const longestHold = await endWatch()
  return { taken, longestHold, searches: await endLoad() }
}

const indexed = await underLoad(() => service.searchIndexed(large.ownerId, large.guildId, MemberQuery.make({})))
const afterwards = await underLoad(() => setTimeout(AFTERWARDS_MILLIS))
await service.close()

const restarted: Restarted = {
  untilExact: indexed.taken,
  firstSearches,
  longestHold: indexed.longestHold,
  longestHoldAfterwards: afterwards.longestHold,
  searchesMeanwhile: indexed.searches
}
process.send?.(restarted)
