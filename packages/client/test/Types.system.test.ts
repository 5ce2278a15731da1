import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { compile, lineOf } from "../../../test/CompiledProgram.ts"

const source = fileURLToPath(new URL("../src", import.meta.url))

const PROGRAM = `
import { createClient } from "${source}/Client.ts"
import { ApiError } from "${source}/ClientError.ts"
import type { Webhook } from "${source}/Resources.ts"

const client = createClient({ baseUrl: "https://chat.example", credentials: { bot: "cmb_1" }, fetch: globalThis.fetch })
const path = { webhook_id: "1", token: "cmw_1" }
export const webhook: Webhook = await client.webhooks.update({ path, body: { avatar: null } })
export const nothing: void = await client.webhooks.executeErrorTracker({ path, body: {} })
for await (const { data, type } of client.logs.streamEvents({ query: { after: 1 } }, { signal: AbortSignal.timeout(1) })) {
  if (type === "user.deleted") String(data["user_id"])
}
const left = undefined
await client.scheduledMessages.list({ query: { status: left } })
await client.scheduledMessages.list({ query: left })
await client.guildMembers.search({ path: { guild_id: "1" }, body: { query: left, role_ids: left } })
const code = { action: left, sender: {}, commits: [{ id: left }] }
await client.webhooks.executeCodeHost({ path, headers: { "x-github-event": left }, body: code }, { signal: left })
try {
  await client.scheduledMessages.list()
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  const seconds: number | null = error.code === "RATE_LIMITED" ? error.retryAfter : null
  String(seconds)
}
`

const WRONG: ReadonlyArray<readonly [error: string, call: string]> = [
  ["undefined for a required field", "client.administration.changeEmail({ body: { user_id: '1', email: left } })"],
  ["undefined in a list", "client.scheduledMessages.list({ query: { status: [left] } })"],
  ["a body without a required field", "client.administration.changeEmail({ body: { user_id: '1' } })"],
  ["a field of a wrong type", "client.webhooks.update({ path, body: { name: 1 } })"],
  ["an unknown field", "client.webhooks.update({ path, body: { title: 'a' } })"],
  ["a value that is not in the list", "client.scheduledMessages.list({ query: { status: ['late'] } })"],
  ["a request without its path", "client.webhooks.update({ body: {} })"],
  ["an unknown operation", "client.webhooks.remove({ path })"],
  ["null for a missing field", "client.webhooks.update({ path, body: { name: null } })"]
]

describe("The types of the client, compiled strictly", () => {
  it.each([
    ["a browser", { lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] }],
    ["Node", { lib: ["ES2023"] }]
  ])("compile in a program for %s, without types of Effect", (_, options) => {
    const { errors, files } = compile(PROGRAM, options)
    expect(errors).toEqual([])
    expect(files.some((path) => path.endsWith("client/src/Client.ts"))).toBe(true)
    expect(files.filter((path) => path.includes("node_modules/effect/"))).toEqual([])
  })

  it("find the mistakes of a call", () => {
    const calls = WRONG.map(([, call]) => `void ${call}`).join("\n")
    const { errors } = compile(`${PROGRAM}\n${calls}\n`, { lib: ["ES2023"] })
    const first = PROGRAM.split("\n").length + 1
    expect(errors.map((error) => WRONG[lineOf(error) - first]?.[0])).toEqual(
      WRONG.map(([name]) => name)
    )
  })
})
