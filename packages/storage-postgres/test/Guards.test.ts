import { guards } from "../../storage-sql/test/Guards.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

guards({
  storage: temporaryStorageWithClient,
  checkViolation: "23514",
  removals: ["DELETE FROM audit_records", "UPDATE audit_records SET at = 0", "TRUNCATE audit_records"]
})
