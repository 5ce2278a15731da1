import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { Fragment } from "@community-messaging/storage-sql/Statements"
import * as Units from "@community-messaging/storage-sql/Units"
import { Effect, Exit } from "effect"

/** A storage that records its statements, and those among them that it only sends, and rejects those with these texts. */
export const noting = (...refused: ReadonlyArray<string>) => {
  const asked: Array<string> = []
  const sent: Array<string> = []
  const noted = (note: string): Effect.Effect<ReadonlyArray<unknown>, SqlFailure> => {
    asked.push(note)
    return refused.includes(note) ? new SqlFailure({ cause: note }) : Effect.succeed([])
  }
  const transact = <A, E, R>(
    body: (unit: Units.Unit) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.gen(function*() {
      let failed: SqlFailure | undefined
      const unit = new Units.Unit({
        run: (text) => noted(text),
        send: (text) => {
          sent.push(text)
          return Effect.asVoid(noted(text))
        },
        fail: (failure) => {
          failed = failure
        }
      })
      const exit = yield* Effect.exit(body(unit))
      asked.push(failed === undefined && Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK")
      if (unit.notifies) asked.push("wake")
      return yield* failed === undefined ? exit : storageError("commit a transaction", failed)
    })
  const taken: Array<Units.Lock> = []
  const units = Units.make({
    read: (text) => noted(`outside: ${text}`),
    transact,
    snapshot: transact,
    lock: (locks) => {
      taken.push(...locks)
      const [{ key } = { key: "" }] = locks
      return refused.includes(key) ? new SqlFailure({ cause: key }) : Effect.void
    },
    wake: () => void asked.push("wake")
  })
  return { ...units, ask: (text: string) => units.sql`${new Fragment(text)}`, asked, sent, taken }
}
