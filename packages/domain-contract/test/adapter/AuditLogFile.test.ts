import { auditLogContract } from "@community-messaging/domain-contract/AuditLogContract"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AuditLogFile from "./AuditLogFile.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "audit-log-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const emptyFile = Layer.unwrapScoped(
  Effect.map(temporaryFolder, (folder) => AuditLogFile.layer(join(folder, "audit.ndjson")))
)

auditLogContract(emptyFile)
