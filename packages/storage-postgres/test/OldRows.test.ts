import { oldRows } from "../../storage-sql/test/OldRows.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

oldRows(temporaryStorageWithClient)
