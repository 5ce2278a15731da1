import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Context, Effect, FiberRef, Layer, Schema } from "effect"
import { appendFile, readFile, truncate } from "node:fs/promises"

/** A line of the file: the records of one unit of work. So a unit is in the file, or is not. */
const Line = Schema.parseJson(Schema.Array(AuditRecord))

/** A running unit of work: the records that it appended so far, and the unit around it. */
interface Unit {
  readonly appended: Array<AuditRecord>
  readonly outer: Unit | undefined
}

const attempt = <A>(operation: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new StorageError({ operation, cause }) })

/** The error has no cause, because the cause of a schema contains the data. */
const converted = <A, E, R>(operation: string, conversion: Effect.Effect<A, E, R>) =>
  Effect.mapError(conversion, () => new StorageError({ operation }))

/** Reads the file, or creates it. Removes an incomplete last line, which a crash leaves. */
const load = (file: string) =>
  Effect.gen(function*() {
    const text = yield* attempt("read the audit log", () => readFile(file, { encoding: "utf8", flag: "a+" }))
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    if (whole !== text) yield* attempt("repair the audit log", () => truncate(file, Buffer.byteLength(whole)))
    const lines = whole.split("\n").slice(0, -1)
    return (yield* converted("read the audit log", Effect.forEach(lines, (line) => Schema.decode(Line)(line)))).flat()
  })

/** Appends the line, and returns once it is on the disk. */
const write = (file: string, records: ReadonlyArray<AuditRecord>) =>
  Effect.flatMap(
    converted("append audit records: one violates its schema", Schema.encode(Line)(records)),
    (line) => attempt("append audit records", () => appendFile(file, `${line}\n`, { flush: true }))
  )

/**
 * `AuditLog` in a file, and a `UnitOfWork` that writes the records of a unit when the unit of the storage below succeeds. If
 * the file cannot be written, neither stores anything.
 */
export const layer = (file: string): Layer.Layer<AuditLog | UnitOfWork, StorageError, UnitOfWork> =>
  Layer.effectContext(Effect.gen(function*() {
    const below = yield* UnitOfWork
    const committed = yield* load(file)
    // A fiber does not pass its unit of work to the fiber that joins it.
    const running = yield* FiberRef.make<Unit | undefined>(undefined, { join: (own) => own })
      .pipe(Effect.scoped)

    const commit = ({ appended, outer }: Unit): Effect.Effect<void, StorageError> => {
      if (outer !== undefined) return Effect.sync(() => void outer.appended.push(...appended))
      if (appended.length === 0) return Effect.void
      return Effect.map(write(file, appended), () => void committed.push(...appended))
    }
    const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      Effect.flatMap(FiberRef.get(running), (outer) => {
        const unit: Unit = { appended: [], outer }
        const whole = Effect.locally(effect, running, unit)
        return below.atomically(Effect.tap(whole, () => Effect.uninterruptible(commit(unit))))
      })
    const visible = (unit: Unit | undefined): ReadonlyArray<AuditRecord> =>
      unit === undefined ? committed : [...visible(unit.outer), ...unit.appended]

    return Context.make(AuditLog, {
      append: (record) =>
        atomically(Effect.flatMap(
          converted("append an audit record: it violates its schema", Schema.validate(AuditRecord)(record)),
          (valid) => Effect.map(FiberRef.get(running), (unit) => void unit?.appended.push(valid))
        )),
      read: (after, limit) =>
        Effect.map(FiberRef.get(running), (unit) =>
          visible(unit)
            .slice(after, after + limit)
            .map((record, index) => ({ sequence: after + index + 1, record })))
    }).pipe(Context.add(UnitOfWork, { ...below, atomically }))
  }))
