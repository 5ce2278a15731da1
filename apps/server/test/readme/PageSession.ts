import * as FileSystem from "@effect/platform/FileSystem"
import { Array as Arrays, Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { dirname } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { DemoFacts } from "../../src/demo/DemoFacts.ts"
import * as Terminal from "../command-line/Terminal.ts"
import { MAIN, serve, start } from "../program/Program.ts"

const SAMPLE = fileURLToPath(new URL("../../../../docs/samples/community.ndjson", import.meta.url))

const decodeFacts = Schema.decode(Schema.parseJson(DemoFacts))

/** The ways in which pages call the program; between backticks, its commands are without it. */
const PROGRAM = /^(?:(?:npx )?community-messaging|node apps\/server\/dist\/main\.js)(?: |$)/

/** The values of the capital words of commands: ids of the sample community, or files. */
const PLACEHOLDERS = [
  [/^(token \w+) ID/, "$1 1310000000000000070"],
  [/^(webhook \w+) ID/, "$1 1310000000000000040"],
  [/^(user show) ID/, "$1 1310000000000000001"],
  [/^(guild show) ID/, "$1 1310000000000000010"],
  [/^((?:message list|webhook create) --channel) ID/, "$1 1310000000000000020"],
  [/^import (?:FILE|community\.ndjson)/, `import ${SAMPLE}`],
  [/^(export|backup|restore) FILE/, "$1 /backups/$1"],
  [/^restore \/backups\/restore/, "restore /backups/backup"]
] as const

const needsShell = (command: string): boolean => /[$|<>;&]|^\w+=|^(?:curl|eval|node -p) /.test(command)

/** The folder in which commands run, and the demo's account with a scheduled deletion. */
interface Session {
  readonly folder: string
  readonly userId: string
}

/** The arguments of a command of the program in this session. */
const argumentsOf = (command: string, { folder, userId }: Session): ReadonlyArray<string> => {
  const given = PLACEHOLDERS.reduce(
    (words, [placeholder, value]) => words.replace(placeholder, value),
    command.replace(PROGRAM, "").replace("cancel-deletion ID", `cancel-deletion ${userId}`)
  )
  const words = given.replaceAll("/backups/", `${folder}/backups/`).split(" ")
  return words.map((word) => word.replaceAll("'", "")).filter((word) => word !== "")
}

/** Runs a command of the program within the test. Returns its error; undefined if it succeeds. */
const failureOf = (command: string, session: Session) =>
  Effect.map(
    Terminal.run(argumentsOf(command, session), { DATA_DIR: `${session.folder}/.data` }),
    ({ stderr, succeeded }) => succeeded ? undefined : `${command}: ${stderr}`
  )

/** Runs a server until it listens, or a stream of events until its first event. */
const untilItWorks = (command: string, session: Session) =>
  Effect.scoped(Effect.gen(function*() {
    const [name = "", ...args] = argumentsOf(command, session)
    const environment = { DATA_DIR: `${session.folder}/.data` }
    const running = name === "serve" ? yield* serve(args, environment) : yield* start([name, ...args], environment)
    if (name !== "serve") yield* running.prints("\n")
    yield* running.signal("SIGTERM")
    const { code, stderr } = yield* running.ended
    return code === 0 ? undefined : `${command}: ${code} ${stderr}`
  }))

/** Makes curl fail at an error of HTTP, and read only the first line of an endless stream. `ssh` runs on this machine. */
const PRELUDE = `
curl() {
  if [ "$1" = -N ]; then
    IFS= read -r first < <(command curl --silent "$@") && [ "$first" = : ]
  else
    command curl --silent --show-error --fail-with-body "$@"
  fi
}
community-messaging() { node "$MAIN" "$@"; }
ssh() { shift; "$@"; }
`

const MARK = "@@ "

/** Pastes the commands into one shell in that folder, and returns the failures. */
const paste = (commands: ReadonlyArray<string>, { folder }: Session) =>
  Effect.promise(async () => {
    const shell = spawn("bash", ["-s"], {
      cwd: folder,
      env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`, MAIN, DATA_DIR: `${folder}/.data` },
      stdio: ["pipe", "pipe", "pipe"]
    })
    const numbered = commands.map((command, index) => `${command}\nprintf '\\n${MARK}%s %s\\n' ${index} $?`)
    shell.stdin.end([PRELUDE, ...numbered].join("\n"))
    const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")])
    const statuses = new Map(
      Array.from(output.matchAll(new RegExp(`^${MARK}(\\d+) (\\d+)$`, "gm")), ([, index, status]) => [index, status])
    )
    return commands.flatMap((command, index) => {
      const status = statuses.get(String(index))
      return status === "0" ? [] : [`${command}: ${status ?? "not reached"} ${errors}`]
    })
  })

/**
 * Runs the commands beside a demo that serves, and those of a stopped server at the end. Commands of the program run
 * within the test, except in pipes: starting a process takes longer than most of them.
 */
export const failuresOf = (commands: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    yield* files.makeDirectory(`${folder}/backups`)
    const demo = yield* serve(["--demo"], { DATA_DIR: `${folder}/.data` })
    yield* demo.prints("Stop with Ctrl+C")

    const { user_id: userId } = yield* decodeFacts(yield* files.readFileString(`${folder}/.data/demo.json`))
    const session: Session = { folder, userId }

    const nameOf = (command: string) => argumentsOf(command, session)[0]
    const isLasting = (command: string) => nameOf(command) === "serve" || nameOf(command) === "events"
    const [others, pasted] = Arrays.partition(commands, needsShell)
    const [short, lasting] = Arrays.partition(others, isLasting)
    const [first, later] = Arrays.partition(short, (command) => nameOf(command) !== "import")
    const [atOnce, ofStopped] = Arrays.partition(later, (command) => nameOf(command) === "restore")
    const each = (some: ReadonlyArray<string>) => Effect.forEach(some, (command) => failureOf(command, session))
    const failures = [
      // The sample is imported before the commands that use it.
      ...yield* each(first),
      ...yield* paste(pasted, session),
      ...yield* each(atOnce),
      ...yield* Effect.forEach(lasting, (command) => untilItWorks(command, session))
    ]
    yield* demo.signal("SIGTERM")
    yield* demo.ended
    return [...failures, ...yield* each(ofStopped)]
  })
