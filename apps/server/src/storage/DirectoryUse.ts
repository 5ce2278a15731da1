import * as FileLock from "@community-messaging/storage-sqlite/FileLock"
import { Effect } from "effect"
import { DataDirectoryUnusable } from "./DataDirectory.ts"
import * as LockFolder from "./LockFolder.ts"

const acquire = (directory: string, mode: FileLock.LockMode, reason: string) =>
  LockFolder.acquireIn(directory, (file) =>
    Effect.flatMap(
      FileLock.acquire(file("use.lock"), mode),
      (acquired) => acquired ? Effect.void : new DataDirectoryUnusable({ path: directory, reason })
    ))

/** Uses the data together with other processes until the scope ends. Fails while another process restores a backup. */
export const share = (directory: string) => acquire(directory, "shared", "a backup is being restored into it")

/** Excludes all other processes of this program from the data until the scope ends. Fails if one uses it. */
export const alone = (directory: string) =>
  acquire(directory, "exclusive", "a server or another command uses it: stop it first")
