// npm run test:container: runs the steps of deploy/Containerfile in plain folders, for machines without an engine for
// containers: the build stage in a copy of the tracked files, the final stage in a folder of its own. Then starts the entry
// point as another user with a read-only root, checks its health, and stops it.

import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const repository = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "container-"))

/** The instructions of the file: name and argument, with continued lines joined. */
const instructions = readFileSync(join(repository, "deploy/Containerfile"), "utf8")
  .replace(/\\\n/g, " ")
  .split("\n")
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => ({ name: line.split(" ", 1)[0], argument: line.slice(line.indexOf(" ") + 1) }))

const fail = (reason) => {
  console.error(`deploy/Containerfile: ${reason}`)
  process.exit(1)
}

const run = (command, options) => {
  console.log(`  ${command}`)
  const { status } = spawnSync(command, { shell: true, stdio: ["ignore", "ignore", "inherit"], ...options })
  if (status !== 0) fail(`this step fails: ${command}`)
}

const isRoot = process.getuid?.() === 0
/** In place of the image's user `node`, which this machine does not have: `nobody`. */
const user = isRoot ? { uid: 65534, gid: 65534 } : {}

const stages = []
for (const { argument, name } of instructions) {
  const stage = stages.at(-1)
  // A root for each stage, in which absolute paths of the file are folders.
  const inRoot = (path) => join(stage.root, path)
  switch (name) {
    case "FROM": {
      console.log(`${name} ${argument}`)
      const [, , stageName = "final"] = argument.split(" ")
      const root = join(folder, stageName)
      mkdirSync(root)
      stages.push({ name: stageName, root, directory: root, env: {} })
      break
    }
    case "WORKDIR":
      stage.directory = inRoot(argument)
      mkdirSync(stage.directory, { recursive: true })
      break
    case "ENV":
      for (const pair of argument.split(" ")) stage.env[pair.split("=")[0]] = pair.slice(pair.indexOf("=") + 1)
      break
    case "COPY": {
      const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(argument) ?? fail(`COPY ${argument}`)
      if (from === undefined) run(`git archive HEAD | tar -x -C ${stage.directory}`, { cwd: repository })
      else {
        const { root } = stages.find((other) => other.name === from)
        mkdirSync(dirname(inRoot(target)), { recursive: true })
        cpSync(join(root, source), inRoot(target), { recursive: true, verbatimSymlinks: true })
      }
      break
    }
    case "RUN":
      // The final stage creates the folder of the data, which is in another place here.
      if (stage.name !== "final") run(argument, { cwd: stage.directory })
      break
    case "USER":
    case "VOLUME":
    case "EXPOSE":
    case "ENTRYPOINT":
    case "CMD":
      stage[name] = argument.startsWith("[") ? JSON.parse(argument) : argument
      break
    case "HEALTHCHECK":
      stage.HEALTHCHECK = JSON.parse(argument.slice(argument.indexOf("CMD ") + 4))
      break
    default:
      fail(`this script does not support ${name}`)
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const final = stages.at(-1)
for (const name of ["USER", "VOLUME", "HEALTHCHECK"]) if (final[name] === undefined) fail(`the image has no ${name}`)
if (final.USER === "root") fail("the image runs as root")

const data = join(folder, "data")
mkdirSync(data)
if (isRoot) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, data])
// The root of the container is read only.
spawnSync("chmod", ["-R", "a-w,a+rX", final.root])
spawnSync("chmod", ["a+rx", folder])

const env = {
  PATH: process.env.PATH,
  ...final.env,
  HOST: "127.0.0.1",
  PORT: String(await freePort()),
  DATA_DIR: data
}
const [program, ...args] = [...final.ENTRYPOINT, ...final.CMD]
console.log(`${program} ${args.join(" ")}`)
const server = spawn(program, args.map((arg) => arg.startsWith("/") ? join(final.root, arg) : arg), {
  env,
  cwd: folder,
  stdio: "inherit",
  ...user
})
const exited = new Promise((resolve) => server.once("exit", (code, signal) => resolve(code ?? signal)))

const [healthProgram, ...healthArguments] = final.HEALTHCHECK
const isHealthy = () => spawnSync(healthProgram, healthArguments, { env, ...user }).status === 0
const deadline = Date.now() + 60_000
let healthy = false
while (!healthy && server.exitCode === null && Date.now() < deadline) healthy = isHealthy()
if (!healthy) {
  server.kill("SIGKILL")
  fail("the server does not become healthy")
}
server.kill("SIGTERM")
const code = await exited
if (code !== 0) fail(`the server ends with ${code} after SIGTERM`)

const size = spawnSync("du", ["-sm", final.root], { encoding: "utf8" }).stdout.split("\t")[0]
console.log(
  `The server becomes healthy, serves from a read-only root without rights, and stops. ${size} MiB beside Node.`
)
rmSync(folder, { recursive: true, force: true })
