import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { arbitrary, RUNS } from "./Arbitraries.ts"
import { portContract } from "./OwnPorts.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"

const plain = plainData(AuditRecord)

const places = Effect.map(
  Effect.flatMap(AuditLog, (audit) => audit.read(0, 100)),
  (records) => records.map(({ sequence }) => sequence)
)

/** The contract of `AuditLog`. */
export const auditLogContract = portContract<AuditLog>("AuditLog", ({ it, storage }) => {
  layer(storage)((it) => {
    it.effect.prop(
      "a record is read with every field",
      { record: arbitrary(AuditRecord) },
      ({ record }) =>
        Effect.gen(function*() {
          const audit = yield* AuditLog
          const before = (yield* audit.read(0, 1000)).length
          yield* audit.append(record)
          expect((yield* audit.read(before, 10)).map((read) => plain(read.record))).toEqual([plain(record)])
        }),
      RUNS
    )
  })

  it("records are numbered from one without gaps, and read in their order after a number, at most the limit", function*() {
    const audit = yield* AuditLog
    const appended = Array.from({ length: 12 }, () => Samples.auditRecord())
    yield* Effect.forEach(appended, audit.append)
    const numbered = appended.map(({ targetId }, index) => [index + 1, targetId])
    const read = (after: number, limit: number) =>
      Effect.map(
        audit.read(after, limit),
        (found) => found.map(({ record, sequence }) => [sequence, record.targetId])
      )
    expect([yield* read(0, 100), yield* read(2, 2)]).toEqual([numbered, numbered.slice(2, 4)])
  })

  it("records that are appended at the same time are numbered without gaps", function*() {
    const audit = yield* AuditLog
    yield* Effect.all(
      Array.from({ length: 10 }, () => audit.append(Samples.auditRecord())),
      { concurrency: "unbounded" }
    )
    expect(yield* places).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})
