import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"

const TIMEOUT_MILLIS = 180_000

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The output of a process, as it arrives. */
const printed = (child: ChildProcess) => {
  let output = ""
  let changed = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      changed()
    })
  }
  child.once("close", () => changed())
  return {
    all: () => output,
    /** Resolves when that text has appeared. */
    says: (wanted: string) =>
      new Promise<void>((resolve, reject) => {
        changed = () => {
          if (output.includes(wanted)) resolve()
          else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(output))
        }
        changed()
      })
  }
}

/** Sends the request of a printed curl command. */
const send = (command: string, init: RequestInit = {}): Promise<Response> => {
  const quotedAfter = (flag: string) =>
    Array.from(command.matchAll(new RegExp(`${flag} '([^']*)'`, "g")), ([, value = ""]) => value)
  const headers = quotedAfter("-H").map((header): [string, string] => {
    const [name = "", value = ""] = header.split(": ")
    return [name, value]
  })
  const [body] = quotedAfter("-d")
  const url = /'(http[^']*)'/.exec(command)?.[1] ?? ""
  return fetch(url, { headers, ...body !== undefined && { method: "POST", body }, ...init })
}

/** Reads the stream until its text contains the wanted text. */
const readUntil = async (stream: ReadableStreamDefaultReader<string>, wanted: string, before = ""): Promise<string> => {
  if (before.includes(wanted)) return before
  const { done, value } = await stream.read()
  if (done) throw new Error(`The stream ends without ${wanted}: ${before}`)
  return readUntil(stream, wanted, before + value)
}

/** Runs the program to its end. */
const result = async (args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, ["cluster/dist/main.js", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { code: child.exitCode, stderr, stdout }
}

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
})

beforeAll(async () => {
  const compiler = spawn(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "cluster"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [output] = await Promise.all([text(compiler.stdout), once(compiler, "close")])
  if (compiler.exitCode !== 0) throw new Error(`The cluster does not compile:\n${output}`)
}, TIMEOUT_MILLIS)

it("prints its usage, and what is wrong with an argument, before it starts anything", async () => {
  const help = await result(["--help"])
  expect(help).toMatchObject({ code: 0, stderr: "" })
  expect(help.stdout).toMatch(/^usage: npm run cluster/)
  const wrong = await result(["--servers", "0"])
  expect(wrong).toMatchObject({ code: 2, stdout: "" })
  expect(wrong.stderr).toMatch(/^--servers must be a whole number from 1 to 9, not "0"$/m)
  expect(wrong.stderr).not.toContain("Starting PostgreSQL")
}, TIMEOUT_MILLIS)

it(
  "prints commands that work: a post through one server is seen on another, and a dead server is left out",
  async () => {
    const cluster = spawn(process.execPath, ["cluster/dist/main.js", "--port", "0"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"]
    })
    running.add(cluster)
    const said = printed(cluster)
    await said.says("Stop with Ctrl+C")
    const [watch = "", post = "", kill = "", postThroughBalancer = ""] = said.all().split("\n\n")
      .filter((part) => part.startsWith("# "))
      .map((part) => part.slice(part.indexOf("\n") + 1))

    const answer = await send(watch)
    const stream = (answer.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>())
      .pipeThrough(new TextDecoderStream()).getReader()
    expect((await send(post)).status).toBe(204)
    await readUntil(stream, "message.created")

    process.kill(Number(kill.split(" ").at(-1)), "SIGKILL")
    await said.says("has ended: SIGKILL")
    // As many as there are servers: each gets one in turn.
    const posted = await Promise.all([1, 2, 3].map(() => send(postThroughBalancer)))
    expect(posted.map(({ status }) => status)).toEqual([204, 204, 204])
    await readUntil(stream, "message.created")

    cluster.kill("SIGINT")
    await once(cluster, "close")
    // The servers have ended, and with them the stream.
    const pids = Array.from(said.all().matchAll(/ process (\d+)$/gmu), ([, pid]) => Number(pid))
    expect(pids).toHaveLength(3)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH")
    await expect(readUntil(stream, "more than there is")).rejects.toThrow(/terminated|The stream ends/u)
  },
  TIMEOUT_MILLIS
)
