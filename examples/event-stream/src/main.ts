// usage: node dist/main.js DATABASE POSITION
// Prints the events of a community while a server, or any other program, writes to its database. Ctrl+C ends it.

import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Console, Effect } from "effect"
import { follow } from "./Follower.ts"

const [filename, positionFile] = process.argv.slice(2)

if (filename === undefined || positionFile === undefined) {
  console.error("usage: node dist/main.js DATABASE POSITION")
  process.exitCode = 2
} else {
  const program = follow(positionFile, (event) => Console.log(event._tag))
  await Effect.runPromise(Effect.provide(program, StorageSqlite.layer({ filename })))
}
