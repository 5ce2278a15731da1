import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { beforeAll, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { request } from "node:http"
import { createServer, type Server } from "node:net"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { DemoFacts } from "../../src/demo/DemoFacts.ts"
import { dataDirectory } from "../command-line/Terminal.ts"
import { COMMUNITY, SECRETS, toText } from "../transfer/Community.ts"
import { build, PATIENCE, run, type Running, serve, start, stop } from "./Program.ts"
import { curlCommands, type CurlRequest, substitute } from "./Shell.ts"

const decodeFacts = Schema.decode(Schema.parseJson(DemoFacts))

/** What the curls of the demo are to answer. */
const PROMISED = [200, 200, 200, 200, 200, 204, 204, 200]

const LAUNCHER = fileURLToPath(new URL("../../bin/community-messaging.js", import.meta.url))

const README = fileURLToPath(new URL("../../../../README.md", import.meta.url))

/** The variables that the readme's curls need. */
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

/** A demo that several tests look at. */
class Demo extends Context.Tag("Demo")<Demo, {
  readonly program: Running & { readonly baseUrl: string }
  readonly directory: string
}>() {
  static readonly layer = Layer.scoped(
    Demo,
    Effect.gen(function*() {
      const directory = yield* dataDirectory
      return { directory, program: yield* demo({ DATA_DIR: directory }) }
    })
  )
}

/** A port of which another process is in possession. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ),
  (server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }
)

const paste = ({ body, headers, method, url }: CurlRequest) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, body: await response.text() }
  })

/** The answers to the curl commands that the program printed, one after the other. */
const pasteAll = (program: Running) => Effect.forEach(curlCommands(program.stdout()), paste)

// The tests that start processes are in one file, so that the program is compiled once and not by two workers at a time.
beforeAll(build, PATIENCE)

layer(NodeContext.layer, { excludeTestServices: true, timeout: PATIENCE })("the program", (it) => {
  it.layer(Demo.layer, { timeout: PATIENCE })("with a demo", (it) => {
    it.effect("answers every curl as it says, in their order", () =>
      Effect.gen(function*() {
        const { program } = yield* Demo
        const answers = yield* pasteAll(program)
        expect(answers.map(({ status }) => status)).toEqual(PROMISED)
      }), PATIENCE)

    it.effect("answers every curl once more", () =>
      Effect.gen(function*() {
        const { program } = yield* Demo
        const answers = yield* pasteAll(program)
        expect(answers.map(({ status }) => status)).toEqual(PROMISED)
      }), PATIENCE)

    it.effect("finds in a search for jonsdottir those who are called Jónsdóttir", () =>
      Effect.gen(function*() {
        const { program } = yield* Demo
        const answers = yield* pasteAll(program)
        expect(answers[2]?.body).toContain("Jónsdóttir")
      }), PATIENCE)

    it.effect("writes the facts beside its data", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory, program } = yield* Demo
        const facts = yield* decodeFacts(yield* files.readFileString(`${directory}/demo.json`))
        expect(facts.base_url).toBe(program.baseUrl)
      }), PATIENCE)

    it.effect("keeps all that it writes for its owner alone", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory } = yield* Demo
        const entries = [".", ...(yield* files.readDirectory(directory, { recursive: true }))]
        const modes = yield* Effect.forEach(entries, (entry) => files.stat(`${directory}/${entry}`))
        expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([])
      }), PATIENCE)

    it.effect("answers every curl of the readme", () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const { directory } = yield* Demo
        const readme = yield* files.readFileString(README)
        const facts = yield* decodeFacts(yield* files.readFileString(`${directory}/demo.json`))
        const commands = curlCommands(substitute(readme, variables(facts)))
        const answers = yield* Effect.forEach(commands, paste)
        expect(answers.map(({ status }) => status)).toEqual(PROMISED)
      }), PATIENCE)

    it.scoped("shares its data with a second process", () =>
      Effect.gen(function*() {
        const { directory, program } = yield* Demo
        const second = yield* demo({ DATA_DIR: directory })
        const answers = yield* Effect.forEach([program, second], pasteAll, { concurrency: 2 })
        expect(answers.map((all) => all.map(({ status }) => status))).toEqual([PROMISED, PROMISED])
      }), PATIENCE)
  })

  it.scoped("keeps a demo in memory as well", () =>
    Effect.gen(function*() {
      const program = yield* demo({ DATA_DIR: yield* dataDirectory, STORAGE: "memory" })
      const answers = yield* pasteAll(program)
      expect(answers.map(({ status }) => status)).toEqual(PROMISED)
    }), PATIENCE)

  it.scoped(
    "serves in memory what it is told to import, with the tokens that people have",
    () =>
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
      }),
    PATIENCE
  )

  it.scoped(
    "does not start with a wrong line in what it is told to import, and names line and field",
    () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const file = yield* files.makeTempFileScoped()
        yield* files.writeFileString(
          file,
          toText([{ kind: "user", id: "1", username: "ada" }, { kind: "user", id: "2" }])
        )
        expect(yield* run(["serve", "--port", "0", "--import", file], { STORAGE: "memory" })).toEqual({
          code: 1,
          stdout: "",
          stderr: `${file}:2: user: username: is missing\n` +
            "community-messaging: nothing was imported: invalid lines: 1\n"
        })
      }),
    PATIENCE
  )

  it.scoped("finds its demo again after it was stopped", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      yield* stop(yield* demo({ DATA_DIR }))
      const before = yield* decodeFacts(yield* files.readFileString(`${DATA_DIR}/demo.json`))
      const { baseUrl } = yield* demo({ DATA_DIR })
      const after = yield* decodeFacts(yield* files.readFileString(`${DATA_DIR}/demo.json`))
      expect(after).toEqual({ ...before, base_url: baseUrl })
    }), PATIENCE)

  for (const STORAGE of ["sqlite", "memory"]) {
    it.scoped(
      `leaves the facts of a demo that runs alone, in another process with ${STORAGE}`,
      () =>
        Effect.gen(function*() {
          const files = yield* FileSystem.FileSystem
          const DATA_DIR = yield* dataDirectory
          const first = yield* demo({ DATA_DIR, STORAGE })
          const second = yield* demo({ DATA_DIR, STORAGE })
          const names = ["demo.json", `demo-${new URL(second.baseUrl).port}.json`]
          const facts = yield* Effect.forEach(
            names,
            (name) => Effect.flatMap(files.readFileString(`${DATA_DIR}/${name}`), decodeFacts)
          )
          expect(facts.map(({ base_url }) => base_url)).toEqual([first.baseUrl, second.baseUrl])
        }),
      PATIENCE
    )
  }

  it.scoped("owns demo.json once the demo before was killed", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const first = yield* demo({ DATA_DIR })
      yield* first.signal("SIGKILL")
      yield* first.ended
      const { baseUrl } = yield* demo({ DATA_DIR })
      expect((yield* decodeFacts(yield* files.readFileString(`${DATA_DIR}/demo.json`))).base_url).toBe(baseUrl)
    }), PATIENCE)

  it.scoped("answers a request that is in progress when it is told to stop", () =>
    Effect.gen(function*() {
      const program = yield* demo({ DATA_DIR: yield* dataDirectory })
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
      // The server asks for the body: so it has the request.
      yield* Effect.async<void>((resume) => {
        outgoing.on("continue", () => resume(Effect.void))
        outgoing.flushHeaders()
      })
      yield* program.signal("SIGTERM")
      yield* program.says("Stopping")
      outgoing.end(body)
      expect([yield* status, (yield* program.ended).code]).toEqual([200, 0])
    }), PATIENCE)

  it.scoped("ends well at SIGINT, and leaves nothing beside its closed database", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const program = yield* serve([], { DATA_DIR })
      yield* program.signal("SIGINT")
      const { code } = yield* program.ended
      const left = yield* files.readDirectory(DATA_DIR)
      expect([code, left.toSorted()]).toEqual([0, ["community-messaging.sqlite", "workers"]])
    }), PATIENCE)

  it.scoped("says in one line that its port is taken", () =>
    Effect.gen(function*() {
      const PORT = String(yield* takenPort)
      expect(yield* run(["serve"], { DATA_DIR: yield* dataDirectory, PORT })).toEqual({
        code: 1,
        stdout: "",
        stderr: "community-messaging: cannot listen on HOST and PORT: " +
          `listen EADDRINUSE: address already in use 127.0.0.1:${PORT}\n`
      })
    }), PATIENCE)

  it.scoped("says in one line that its folder can not be used", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* files.makeTempFileScoped()
      const { code, stderr } = yield* run(["serve"], { DATA_DIR })
      expect([code, stderr.split("\n").length, stderr.includes(`DATA_DIR ${DATA_DIR} cannot be used`)]).toEqual([
        1,
        2,
        true
      ])
    }), PATIENCE)

  it.scoped("says in one line that its database is damaged", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* files.makeTempDirectoryScoped()
      yield* files.writeFile(`${DATA_DIR}/community-messaging.sqlite`, new Uint8Array(8192).fill(7))
      const { code, stderr } = yield* run(["serve"], { DATA_DIR })
      expect([code, stderr.split("\n").length, stderr.includes("file is not a database")]).toEqual([1, 2, true])
    }), PATIENCE)

  it.effect("says in one line which variable is wrong", () =>
    Effect.gen(function*() {
      expect(yield* run(["serve"], { PORT: "many" })).toEqual({
        code: 1,
        stdout: "",
        stderr: "community-messaging: PORT must be a whole number from 0 to 65535, not \"many\"\n"
      })
    }), PATIENCE)

  it.scoped("logs nothing that weighs less than the level given behind the command", () =>
    Effect.gen(function*() {
      const program = yield* start(["serve", "--demo", "--port", "0", "--log-level", "error"], {
        DATA_DIR: yield* dataDirectory
      })
      yield* program.prints("Stop with Ctrl+C")
      expect((yield* stop(program)).stderr).toBe("")
    }), PATIENCE)

  it.effect("is started by the file that npm links", () =>
    Effect.sync(() => {
      const { status, stderr, stdout } = spawnSync(LAUNCHER, ["--version"], {
        env: { PATH: dirname(process.execPath) },
        encoding: "utf8"
      })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" })
    }), PATIENCE)

  it.scoped("says what to do when it is not compiled yet", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped()
      yield* files.copyFile(LAUNCHER, `${directory}/launcher.mjs`)
      const { status, stderr } = spawnSync(process.execPath, [`${directory}/launcher.mjs`], { encoding: "utf8" })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: "community-messaging: it is not compiled yet: run npm run build first\n"
      })
    }), PATIENCE)

  it.effect("says its version", () =>
    Effect.gen(function*() {
      expect(yield* run(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" })
    }), PATIENCE)
})
