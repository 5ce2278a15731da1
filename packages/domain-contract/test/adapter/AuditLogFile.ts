import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Layer, Schema } from "effect"
import { appendFile, readFile } from "node:fs/promises"

const Row = Schema.parseJson(AuditRecord)

const attempt = <A>(operation: string, promise: () => Promise<A>) =>
  Effect.tryPromise({ try: promise, catch: (cause) => new StorageError({ operation, cause }) })

const refuse = (operation: string) => Effect.mapError(() => new StorageError({ operation }))

export const layer = (file: string): Layer.Layer<AuditLog> =>
  Layer.effect(
    AuditLog,
    Effect.map(Effect.makeSemaphore(1), (oneAtATime) => ({
      append: (record) =>
        Schema.encode(Row)(record).pipe(
          refuse("append an audit record: it violates its schema"),
          Effect.flatMap((row) => attempt("append an audit record", () => appendFile(file, `${row}\n`))),
          oneAtATime.withPermits(1)
        ),
      read: (after, limit) =>
        attempt("read audit records", () => readFile(file, { encoding: "utf8", flag: "a+" })).pipe(
          Effect.map((text) => text.split("\n").filter((line) => line !== "").slice(after, after + limit)),
          Effect.flatMap(Effect.forEach((line) => Schema.decode(Row)(line))),
          Effect.map((records) => records.map((record, index) => ({ sequence: after + index + 1, record }))),
          Effect.catchTag("ParseError", () => new StorageError({ operation: "read audit records: a row is invalid" }))
        )
    }))
  )
