import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { beforeAll, expect, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Redacted, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { request } from "node:http"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { DemoFacts } from "../../src/demo/DemoFacts.ts"
import * as Terminal from "../command-line/Terminal.ts"
import { COMMUNITY, SECRETS, toText } from "../transfer/Community.ts"
import { build, MAIN, type Running, serve, start } from "./Program.ts"
import { curlCommands, type CurlRequest, substitute } from "./Shell.ts"
import * as SilentServer from "./SilentServer.ts"

const decodeFacts = Schema.decode(Schema.parseJson(DemoFacts))

/** The expected statuses of the demo's curl commands. */
const PROMISED = [200, 200, 200, 200, 200, 204, 204, 200]

const LAUNCHER = fileURLToPath(new URL("../../bin/community-messaging.js", import.meta.url))

const README = fileURLToPath(new URL("../../../../README.md", import.meta.url))

/** The variables of the readme's curl commands. */
const variables = (facts: DemoFacts) => ({
  BASE: facts.base_url,
  BOT: Redacted.value(facts.bot_token),
  ADMIN: Redacted.value(facts.admin_key),
  GUILD: facts.guild_id,
  USER_ID: facts.user_id,
  HOOK: `${facts.base_url}/webhooks/${facts.webhook.id}/${Redacted.value(facts.webhook.token)}`,
  CLIENT: facts.application.client_id,
  JSON: "Content-Type: application/json"
})

/** Starts the demo and waits for its instructions. */
const demo = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const program = yield* serve(["--demo"], environment)
    yield* program.prints("Stop with Ctrl+C")
    return program
  })

/** A demo that several tests share. */
class Demo extends Context.Tag("Demo")<Demo, {
  readonly program: Running & { readonly baseUrl: string }
  readonly directory: string
}>() {
  static readonly layer = Layer.scoped(
    Demo,
    Effect.gen(function*() {
      const directory = yield* Terminal.dataDirectory
      return { directory, program: yield* demo({ DATA_DIR: directory }) }
    })
  )
}

const paste = ({ body, headers, method, url }: CurlRequest) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, body: await response.text() }
  })

/** The responses to the printed curl commands, one after the other. */
const pasteAll = (program: Running) => Effect.forEach(curlCommands(program.stdout()), paste)

// The tests that start processes are in one file, so that the program is compiled once, not by two workers at a time.
beforeAll(build)

layer(NodeContext.layer, { excludeTestServices: true })("the program", (it) => {
  it.layer(Demo.layer)("with a demo", (it) => {
    it.effect("answers every printed curl command as announced, in their order, any number of times", () =>
      Effect.gen(function*() {
        const { program } = yield* Demo
        const [once, again] = [yield* pasteAll(program), yield* pasteAll(program)]
        expect([once, again].map((all) => all.map(({ status }) => status))).toEqual([PROMISED, PROMISED])
        // The search is for jonsdottir.
        expect(again[2]?.body).toContain("Jónsdóttir")
      }))

    it.effect("writes files that only their owner can access", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory } = yield* Demo
        const entries = [".", ...(yield* files.readDirectory(directory, { recursive: true }))]
        const modes = yield* Effect.forEach(entries, (entry) => files.stat(`${directory}/${entry}`))
        expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([])
      }))

    it.effect("answers every curl command of the readme", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory } = yield* Demo
        const readme = yield* files.readFileString(README)
        const facts = yield* decodeFacts(yield* files.readFileString(`${directory}/demo.json`))
        const commands = curlCommands(substitute(readme, variables(facts)))
        const answers = yield* Effect.forEach(commands, paste)
        expect(answers.map(({ status }) => status)).toEqual(PROMISED)
      }))

    it.scoped("has a warning for a server that serves its data without a demo", () =>
      Effect.gen(function*() {
        const { directory } = yield* Demo
        const server = yield* serve([], { DATA_DIR: directory })
        yield* server.says("has the accounts and the admin key of a demo")
      }))

    it.scoped("shares its data with a second process, which does not change its facts", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory, program } = yield* Demo
        const second = yield* demo({ DATA_DIR: directory })
        const answers = yield* Effect.forEach([program, second], pasteAll, { concurrency: 2 })
        expect(answers.map((all) => all.map(({ status }) => status))).toEqual([PROMISED, PROMISED])
        const names = ["demo.json", `demo-${new URL(second.baseUrl).port}.json`]
        const facts = yield* Effect.forEach(
          names,
          (name) => Effect.flatMap(files.readFileString(`${directory}/${name}`), decodeFacts)
        )
        expect(facts.map(({ base_url }) => base_url)).toEqual([program.baseUrl, second.baseUrl])
      }))
  })

  it.scoped("serves an import in memory, with its tokens", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      yield* files.writeFileString(file, toText(COMMUNITY))
      const { baseUrl } = yield* serve(["--import", file], { STORAGE: "memory" })
      const answer = yield* paste({
        method: "GET",
        url: `${baseUrl}/users/@me/scheduled-messages`,
        headers: { authorization: `Bot ${SECRETS.bot}` },
        body: undefined
      })
      expect(answer.status).toBe(200)
    }))

  it.scoped("answers a request in progress before it stops", () =>
    Effect.gen(function*() {
      const program = yield* demo({ DATA_DIR: yield* Terminal.dataDirectory })
      const search = curlCommands(program.stdout())[2]
      const body = Buffer.from(search?.body ?? "")
      const outgoing = request(search?.url ?? "", {
        method: "POST",
        headers: { ...search?.headers, "content-length": body.length, expect: "100-continue" }
      })
      const status = Effect.async<number | undefined, Error>((resume) => {
        outgoing.on("response", (response) => resume(Effect.succeed(response.statusCode)))
        outgoing.on("error", (error) => resume(Effect.fail(error)))
      })
      // The server requests the body, so it has the request.
      yield* Effect.async<void>((resume) => {
        outgoing.on("continue", () => resume(Effect.void))
        outgoing.flushHeaders()
      })
      yield* program.signal("SIGTERM")
      yield* program.says("Stopping")
      outgoing.end(body)
      expect([yield* status, (yield* program.ended).code]).toEqual([200, 0])
    }))

  it.scoped.each(["SIGINT", "SIGHUP"] as const)(
    "ends with success at %s, and leaves no file beside its database",
    (end) =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const DATA_DIR = yield* Terminal.dataDirectory
        const program = yield* serve([], { DATA_DIR })
        yield* program.signal(end)
        const { code } = yield* program.ended
        const left = yield* files.readDirectory(DATA_DIR)
        expect([code, left.toSorted()]).toEqual([0, ["community-messaging.sqlite", "workers"]])
      })
  )

  it.scoped("ends at a signal that comes while it is loaded", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* Terminal.dataDirectory
      const module = `import fs from "node:fs"
        import { syncBuiltinESMExports } from "node:module"
        const read = fs.readFileSync
        fs.readFileSync = (file, ...options) => {
          if (String(file).endsWith("Program.cjs")) process.kill(process.pid, "SIGTERM")
          return read(file, ...options)
        }
        syncBuiltinESMExports()`
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(module)}`
      const program = yield* start(["serve"], { DATA_DIR, PORT: "0", NODE_OPTIONS })
      expect((yield* program.ended).code).toBe(130)
    }))

  it.scoped("ends a command that is interrupted with 130, as a shell does", () =>
    Effect.gen(function*() {
      const connected = yield* Deferred.make<void>()
      // A Redis that does not answer.
      const port = yield* SilentServer.port(() => Deferred.unsafeDone(connected, Effect.void))
      const environment = { DATA_DIR: yield* Terminal.dataDirectory, REDIS_URL: `redis://127.0.0.1:${port}` }
      const program = yield* start(["doctor"], environment)
      yield* Deferred.await(connected)
      yield* program.signal("SIGINT")
      expect((yield* program.ended).code).toBe(130)
    }))

  it.scoped("continues to serve when the reader of its log has closed the pipe", () =>
    Effect.gen(function*() {
      const program = yield* serve([], { DATA_DIR: yield* Terminal.dataDirectory })
      yield* program.closeOutputs
      const unknown = paste({ method: "GET", url: `${program.baseUrl}/nowhere`, headers: {}, body: undefined })
      const answers = yield* Effect.replicateEffect(unknown, 10)
      const atOnce = yield* Effect.all(Array.from({ length: 10 }, () => unknown), { concurrency: "unbounded" })
      expect([...answers, ...atOnce].map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 404))
      yield* program.signal("SIGTERM")
      expect((yield* program.ended).code).toBe(0)
    }))

  it.effect("loads with a limit of 64 open files, and by the file that npm links", () =>
    Effect.sync(() => {
      const limited = ["sh", "-c", "ulimit -n 64 && exec \"$0\" \"$@\"", process.execPath, MAIN]
      for (const [program = "", ...args] of [limited, [LAUNCHER]]) {
        const { status, stderr, stdout } = spawnSync(program, [...args, "--version"], {
          env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
          encoding: "utf8"
        })
        expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" })
      }
    }))

  it.scoped("gives advice if it is not compiled yet", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped()
      yield* files.copy(dirname(LAUNCHER), `${directory}/bin`)
      yield* files.copyFile(join(dirname(LAUNCHER), "../package.json"), `${directory}/package.json`)
      const { status, stderr } = spawnSync(process.execPath, [`${directory}/bin/community-messaging.js`], {
        encoding: "utf8"
      })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: "community-messaging: it is not compiled yet: run npm run build first\n"
      })
    }))
})
