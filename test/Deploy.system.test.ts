import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { REPOSITORY } from "./Documents.ts"

const UNIT = "community-messaging.service"

/** The greatest accepted exposure of the service, in tenths; 100 is no protection at all. */
const MAX_EXPOSURE = 20

const analyze = (...args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" })
  return { isMissing: error !== undefined, status, output: `${stdout}${stderr}` }
}

/** A program that reads the file; its Debian package has the same name. */
const tool = (name: string, ...args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync(name, args, {
    cwd: REPOSITORY,
    encoding: "utf8",
    env: { ...process.env, DOMAIN: "chat.example" }
  })
  return { isMissing: error !== undefined, status, stdout, output: `${stdout}${stderr}` }
}

// systemd-analyze checks that the program and the user exist, so the copy names those of this machine.
describe.skipIf(analyze("--version").isMissing)("the unit for systemd", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"))
  const file = join(folder, UNIT)
  const unit = readFileSync(join(REPOSITORY, "deploy", UNIT), "utf8")
  writeFileSync(file, unit.replace("/usr/bin/node", process.execPath).replace(/^User=.*$/m, "User=daemon"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is valid for systemd", () => {
    expect(analyze("verify", file)).toMatchObject({ status: 0, output: "" })
  })

  it("drops the rights that a server does not need", () => {
    expect(analyze("security", "--offline=yes", `--threshold=${MAX_EXPOSURE}`, file)).toMatchObject({ status: 0 })
  })
})

describe("the command that starts the server", () => {
  it.each([UNIT, "Containerfile"])("gives V8 as many helper threads as there are other processors: %s", (file) => {
    const started = /^(?:ExecStart|ENTRYPOINT).*main\.js.*$/m.exec(
      readFileSync(join(REPOSITORY, "deploy", file), "utf8")
    )
    expect(started?.[0]).toContain("--v8-pool-size=0")
  })
})

// apt-get install caddy
describe.skipIf(tool("caddy", "version").isMissing)("the file for Caddy", () => {
  it("is valid", () => {
    const { output, status } = tool("caddy", "validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile")
    expect([status, output]).toEqual([0, expect.stringContaining("Valid configuration")])
  })

  it("hides the health of the server, and passes on everything else without buffering", () => {
    const { stdout } = tool("caddy", "adapt", "--adapter", "caddyfile", "--config", "deploy/Caddyfile")
    expect(stdout).toContain("\"path\":[\"/health/*\"]")
    expect(stdout).toContain("\"host\":[\"chat.example\"]")
    expect(stdout).toContain("\"flush_interval\":-1")
    expect(stdout).toContain("\"dial\":\"server:8080\"")
  })
})

// apt-get install docker-compose
describe.skipIf(tool("docker-compose", "version").isMissing)("the files for compose", () => {
  const folder = mkdtempSync(join(tmpdir(), "compose-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  // Debian's version does not support this tag, with which the proxy's file removes the server's port.
  const RESET = /^ *ports: !reset \[\]\n/m
  const tls = readFileSync(join(REPOSITORY, "deploy/compose.tls.yaml"), "utf8")
  const readable = join(folder, "compose.tls.yaml")
  writeFileSync(readable, tls.replace(RESET, ""))

  it("are valid, alone and together", () => {
    const alone = tool("docker-compose", "-f", "deploy/compose.yaml", "config", "--quiet")
    const together = tool("docker-compose", "-f", "deploy/compose.yaml", "-f", readable, "config")
    expect([alone.status, alone.output, together.status]).toEqual([0, "", 0])
    expect(together.stdout).toContain("PUBLIC_URL: https://chat.example")
    expect(together.stdout).toMatch(/TRUST_PROXY: '?1'?$/m)
  })

  it("remove the server's port with a proxy", () => {
    expect(tls).toMatch(RESET)
  })
})

describe("the workflow", () => {
  const workflow = readFileSync(join(REPOSITORY, ".github/workflows/ci.yml"), "utf8")

  it("runs commands that everyone can run, on each documented version of Node", () => {
    expect(workflow).toMatch(/^ +- run: \.ci\/run$/m)
    expect(statSync(join(REPOSITORY, ".ci/run")).mode & 0o111).toBe(0o111)
    const engines = /"node": "([^"]*)"/.exec(readFileSync(join(REPOSITORY, "package.json"), "utf8"))?.[1] ?? ""
    const majors = Array.from(engines.matchAll(/(\d+)\.\d+\.\d+/g), ([, major]) => major)
    const tested = /node: \[(.*)\]/.exec(workflow)?.[1]?.split(", ")
    expect(tested).toEqual(expect.arrayContaining(majors))
  })

  it("pins third-party actions to a commit, and has only read access", () => {
    const used = Array.from(workflow.matchAll(/uses: (\S+)/g), ([, action = ""]) => action)
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m)
  })
})
