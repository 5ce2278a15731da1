import SqliteDatabase from "better-sqlite3"
import * as Reply from "./Reply.ts"

/** Work that reads and writes; if it refuses, it has written nothing. */
export type Unit = () => Reply.Reply

/** The database, with one transaction for all units that are ready in the same turn of the event loop. */
export interface Connection {
  readonly database: SqliteDatabase.Database
  /** Calls `answer` when the writes of the unit are on the disk. */
  readonly commit: (unit: Unit, answer: (reply: Reply.Reply) => void) => void
  /** Stores an event, within a unit. */
  readonly appendEvent: (at: number, event: object) => void
}

interface Waiting {
  readonly unit: Unit
  readonly answer: (reply: Reply.Reply) => void
}

/** Opens the database as the service does. */
export const open = (filename: string): Connection => {
  const database = new SqliteDatabase(filename)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.pragma("foreign_keys = ON")
  const begin = database.prepare("BEGIN IMMEDIATE")
  const end = database.prepare("COMMIT")
  const insertEvent = database.prepare<[at: number, event: string]>(
    "INSERT INTO events (occurred_at, event) VALUES (?, ?)"
  )
  const rollback = database.prepare("ROLLBACK")
  let waiting: Array<Waiting> = []

  const transaction = (group: ReadonlyArray<Waiting>): ReadonlyArray<Reply.Reply> | undefined => {
    try {
      begin.run()
      const replies = group.map(({ unit }) => unit())
      end.run()
      return replies
    } catch (error) {
      if (group.length === 1) console.error(error)
      if (database.inTransaction) rollback.run()
      return undefined
    }
  }

  const commitWaiting = () => {
    const group = waiting
    waiting = []
    const replies = transaction(group)
    for (const [index, { answer }] of group.entries()) {
      // A unit that fails rolls the group back: then each unit gets its own transaction.
      const reply = replies === undefined ? transaction(group.slice(index, index + 1))?.[0] : replies[index]
      answer(reply ?? Reply.INTERNAL_SERVER_ERROR)
    }
  }

  return {
    database,
    commit: (unit, answer) => {
      if (waiting.length === 0) setImmediate(commitWaiting)
      waiting.push({ unit, answer })
    },
    appendEvent: (at, event) => void insertEvent.run(at, JSON.stringify(event))
  }
}
