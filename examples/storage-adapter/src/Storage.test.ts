import { atomicityContract } from "@community-messaging/domain-contract/AtomicityContract"
import { auditLogContract } from "@community-messaging/domain-contract/AuditLogContract"
import * as Samples from "@community-messaging/domain-contract/Samples"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Storage from "./Storage.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "audit-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** Begins with an empty file each time it is built. */
const storage = Layer.unwrapScoped(Effect.map(directory, (path) => Storage.layer(join(path, "audit.ndjson"))))

auditLogContract(storage)
atomicityContract(storage)

describe("the file", () => {
  const append = Effect.flatMap(AuditLog, (audit) => audit.append(Samples.auditRecord()))
  const sequences = Effect.map(
    Effect.flatMap(AuditLog, (audit) => audit.read(0, 10)),
    (records) => records.map(({ sequence }) => sequence)
  )

  it.scoped("has the records after a restart", () =>
    Effect.gen(function*() {
      const file = join(yield* directory, "audit.ndjson")
      yield* Effect.provide(Effect.zipRight(append, append), Storage.layer(file))
      expect(yield* Effect.provide(sequences, Storage.layer(file))).toEqual([1, 2])
    }))

  it.scoped("goes on after its last whole line if a crash cut one off", () =>
    Effect.gen(function*() {
      const file = join(yield* directory, "audit.ndjson")
      yield* Effect.provide(append, Storage.layer(file))
      appendFileSync(file, "[{\"actor\":{\"_tag\":\"Comm")
      yield* Effect.provide(append, Storage.layer(file))
      expect(yield* Effect.provide(sequences, Storage.layer(file))).toEqual([1, 2])
    }))
})
