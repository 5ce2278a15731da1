import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { createClient } from "../../src/Client.ts"
import { OPERATIONS } from "../../src/Operations.ts"
import { answer, event, refuse, serve, stream } from "../ScriptedServer.ts"
import { changeEmail } from "./Errors.ts"
import { follow } from "./Events.ts"
import { observedClient } from "./Metrics.ts"
import { memberSearch } from "./SearchWhileTyping.ts"
import { program } from "./WithEffect.ts"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const readme = read("../../README.md")
const programs = readdirSync(new URL(".", import.meta.url)).filter((name) => !name.endsWith(".test.ts"))

/** Sets the variables of the environment until the test ends. */
const withEnvironment = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

/** The output of programs on the console until the test ends. */
const logged = () => {
  const log = vi.spyOn(console, "log").mockReturnValue()
  onTestFinished(() => log.mockRestore())
  return log
}

/* The compiler checks the programs, because they are in the folder of the tests. */
describe("The readme of the client", () => {
  it("has the text of each program, and no other program", () => {
    const blocks = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, text = ""]) => text)
    expect(blocks.sort()).toEqual(programs.map((name) => read(`./${name}`)).sort())
  })

  it("lists each operation with the parts of its request", () => {
    const rows = Array.from(readme.matchAll(/^\| `client\.([\w.]+)` \| (.*) \|$/gm), ([, id, parts]) => [id, parts])
    expect(rows).toEqual(
      Object.values(OPERATIONS).flatMap((group) => Object.values(group)).map((operation) => [
        operation.id,
        [
          ...(operation.path.includes("{") ? ["`path`"] : []),
          ...(operation.query.length > 0 ? ["`query?`"] : []),
          ...(operation.headers.length > 0 && operation.response !== "events" ? ["`headers?`"] : []),
          ...(operation.body ? ["`body`"] : [])
        ].join(", ")
      ])
    )
  })

  it("names the operations that are idempotent", () => {
    const sentence = /Idempotent are .*?`logs`/s.exec(readme)?.[0] ?? ""
    const named = Array.from(sentence.matchAll(/`(\w+(?:\.\w+)?)`/g), ([, name]) => name)
    const idempotent = Object.values(OPERATIONS).flatMap((group) => Object.values(group))
      .filter(({ idempotent: is }) => is).map(({ id }) => id.startsWith("logs.") ? "logs" : id)
    expect(new Set(named)).toEqual(new Set(idempotent))
  })
})

describe("The programs of the readme", () => {
  it("list scheduled messages", async () => {
    const server = await serve(answer(200, [{ scheduled_at: "2027-01-01", payload: { content: "hello" } }]))
    withEnvironment({ BASE: server.baseUrl, BOT: "cmb_1" })
    const log = logged()
    await import("./FirstCall.ts")
    expect(log.mock.calls).toEqual([["2027-01-01", "hello"]])
  })

  it("search while someone types", async () => {
    const server = await serve(
      () => {},
      answer(200, { members: [{ username: "ada", global_name: null }, { username: "b", global_name: "Björk" }] })
    )
    const search = memberSearch(server.baseUrl, "cmb_1", "1")
    const first = search("a")
    await server.arrived(1)
    const second = search("ad")
    await expect(first).rejects.toMatchObject({ name: "AbortError" })
    expect(await second).toEqual(["ada", "Björk"])
  })

  it("report the problem of an e-mail address", async () => {
    const violation = { path: "email", message: "is another account's address already", code: "EMAIL_ALREADY_IN_USE" }
    const server = await serve(
      refuse(400, "INVALID_FORM_BODY", {}, { errors: [violation] }),
      refuse(404, "UNKNOWN_USER"),
      refuse(403, "MISSING_ACL"),
      answer(200, { user: { email: "ada@example.org" } })
    )
    const client = createClient({ baseUrl: server.baseUrl, credentials: { admin: "cma_1" } })
    const change = () => changeEmail(client, "1", "ada@example.org")
    expect([await change(), await change(), await change(), await change()]).toEqual([
      "email is another account's address already",
      "There is no such account.",
      "Request r-1 failed.",
      "The address is now ada@example.org."
    ])
  })

  it("follow events", async () => {
    const server = await serve(stream([event(1), event(2), event(3)]))
    const client = createClient({ baseUrl: server.baseUrl, credentials: { admin: "cma_1" } })
    const controller = new AbortController()
    const stored: Array<number> = []
    const followed = follow(client, 0, (position) => {
      stored.push(position)
      if (position === 2) controller.abort()
      return Promise.resolve()
    }, controller.signal)
    await expect(followed).rejects.toMatchObject({ name: "AbortError" })
    expect(stored).toEqual([1, 2])
  })

  it("log each attempt, without credentials", async () => {
    const server = await serve(answer(204, ""))
    const log = logged()
    const path = { webhook_id: "1", token: "cmw_secret" }
    await observedClient(server.baseUrl).webhooks.executeErrorTracker({ path, body: {} })
    expect(log.mock.calls).toEqual([[
      { operation: "webhooks.executeErrorTracker", number: 1, status: 204, requestId: "r-1", retryIn: null }
    ]])
  })

  it("read ten events with Effect", async () => {
    const server = await serve(stream(Array.from({ length: 11 }, (_, index) => event(index + 1))))
    withEnvironment({ BASE: server.baseUrl, ADMIN: "cma_1" })
    expect(Array.from(await Effect.runPromise(program))).toEqual(Array.from({ length: 10 }, () => "user.deleted"))
  })
})
