import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { fork } from "node:child_process"
import { statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { temporaryFilename } from "./TemporaryDatabase.ts"

const MIB = 1024 * 1024

const TYPESCRIPT_PROCESS = fileURLToPath(new URL("../../../test/TypeScriptProcess.mjs", import.meta.url))
const PROGRAM = fileURLToPath(new URL("./CrashingTransaction.ts", import.meta.url))

/** Starts a process that writes much data in a transaction, and kills it in the middle. */
const crash = (filename: string) =>
  Effect.async<void>((resume) => {
    const child = fork(TYPESCRIPT_PROCESS, [PROGRAM, filename])
    let logged = 0
    child.once("message", () => {
      logged = statSync(`${filename}-wal`).size
      child.kill("SIGKILL")
    })
    child.once("exit", () => {
      resume(logged > MIB ? Effect.void : Effect.dieMessage("No part of the transaction was in the file."))
    })
  })

describe("a process that is killed in the middle of a transaction", () => {
  it.scoped("leaves its earlier commits, nothing of the transaction, and no lock", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* crash(filename)
      yield* Effect.gen(function*() {
        const users = yield* UserRepository
        yield* users.save(Samples.user({ id: UserId.make("3"), username: "next" }))
        const page = { after: Option.none(), limit: 10 }
        expect({
          accounts: (yield* users.list(page)).map(({ username }) => username).toSorted(),
          events: yield* EventStream.read(0, 10),
          avatars: yield* (yield* AvatarStore).list(page)
        }).toEqual({ accounts: ["kept", "next"], events: [], avatars: [] })
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
    }))
})
