import { invalidRows } from "../../storage-sql/test/InvalidRows.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

invalidRows(temporaryStorageWithClient)
