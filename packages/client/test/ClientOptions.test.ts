import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { type Client, createClient } from "../src/Client.ts"
import { ConnectionError } from "../src/ClientError.ts"
import type { ClientOptions } from "../src/ClientOptions.ts"
import { rejectionOf } from "./Rejection.ts"
import { answer, serve } from "./ScriptedServer.ts"

const options = (more: Partial<ClientOptions>): ClientOptions => ({
  baseUrl: "http://127.0.0.1:9",
  retries: 0,
  ...more
})

describe("The options of a client", () => {
  it.each<readonly [string, Partial<ClientOptions>]>([
    ["baseUrl must be an absolute address", { baseUrl: "/v1" }],
    ["baseUrl must be an absolute address", { baseUrl: "ftp://chat.example" }],
    ["baseUrl must have no user", { baseUrl: "https://me:password@chat.example" }],
    ["baseUrl must have no user, no query", { baseUrl: "https://chat.example/?a=1" }],
    ["credentials.bot must be a token", { credentials: { bot: "Bot cmb_secret" } }],
    ["credentials.admin must be a token", { credentials: { admin: "cma_secret\n" } }],
    ["credentials.admin must be a token", { credentials: { admin: "" } }],
    ["retries must be a number of at least 0", { retries: -1 }],
    ["timeout must be a number of at least 1", { timeout: 0 }],
    ["heartbeatTimeout must be a number of at least 1", { heartbeatTimeout: Number.NaN }],
    ["maxRetryDelay must be a number of at least 0", { maxRetryDelay: -1 }],
    ["maxResponseBytes must be a number of at least 1", { maxResponseBytes: 0 }],
    // @ts-expect-error -- A caller without types may write the number as a text.
    ["timeout must be a number of at least 1", { timeout: "5" }],
    // @ts-expect-error -- The option is `timeout`.
    ["a client has no option timeOut", { timeOut: 5 }]
  ])("are refused by name: %s", (message, wrong) => {
    const make = () => createClient(options(wrong))
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    expect(make).not.toThrow(/secret|password/)
  })

  it.each(["", "/", "/v1", "/v1/"])("may have a base URL that ends with '%s'", async (end) => {
    const server = await serve(answer(200, []))
    const client = createClient({ baseUrl: `${server.baseUrl}/chat${end}`, credentials: { bot: "cmb_secret" } })
    await client.scheduledMessages.list({ query: { status: ["sent", "failed"] } })
    expect(server.requests.map(({ target }) => target)).toEqual([
      "/chat/v1/users/@me/scheduled-messages?status=sent&status=failed"
    ])
  })
})

const body = { sender: { login: "ada" } }

describe("A call that is used in a wrong way", () => {
  it.each<readonly [string, (client: Client) => Promise<unknown>]>([
    [
      "administration.changeEmail needs credentials.admin",
      ({ administration }) => administration.changeEmail({ body: { user_id: "1", email: "ada@example.org" } })
    ],
    ["scheduledMessages.list needs credentials.bot", ({ scheduledMessages }) => scheduledMessages.list()],
    [
      "path.token must be a text",
      ({ webhooks }) => webhooks.executeCodeHost({ path: { webhook_id: "1", token: ".." }, body })
    ],
    [
      "path.webhook_id must be a text",
      ({ webhooks }) => webhooks.executeCodeHost({ path: { webhook_id: "", token: "cmw_secret" }, body })
    ],
    [
      "path.token must be a text",
      ({ webhooks }) => webhooks.executeCodeHost({ path: { webhook_id: "1", token: "cmw_secret\uD800" }, body })
    ],
    [
      "timeout must be a number",
      ({ webhooks }) =>
        webhooks.executeCodeHost({ path: { webhook_id: "1", token: "cmw_secret" }, body }, { timeout: -1 })
    ]
  ])("rejects with a TypeError that names the mistake: %s", async (message, use) => {
    const error = await rejectionOf(use(createClient(options({}))))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain("secret")
  })

  it("rejects parameters that the operation does not have, and a body that is missing", async () => {
    const { scheduledMessages, webhooks } = createClient(options({ credentials: { bot: "cmb_secret" } }))
    // @ts-expect-error -- The parameter is `status`.
    await expect(scheduledMessages.list({ query: { state: ["sent"] } })).rejects.toThrow(
      "scheduledMessages.list has no parameter query.state"
    )
    // @ts-expect-error -- It belongs to `query`.
    await expect(scheduledMessages.list({ status: ["sent"] })).rejects.toThrow(
      "scheduledMessages.list has no parameter status"
    )
    // @ts-expect-error -- The option is `retries`.
    await expect(scheduledMessages.list({}, { retry: 5 })).rejects.toThrow("a call has no option retry")
    // @ts-expect-error -- The operation has no body.
    await expect(scheduledMessages.list({ body: {} })).rejects.toThrow("scheduledMessages.list has no body")
    const more = { webhook_id: "1", token: "cmw_secret", hook: "2" }
    await expect(webhooks.update({ path: more, body: {} })).rejects.toThrow(
      "webhooks.update has no parameter path.hook"
    )
    await expect(scheduledMessages.list({}, { requestId: "has space" })).rejects.toThrow("requestId must have")
    // @ts-expect-error -- There is no body.
    await expect(webhooks.update({ path: { webhook_id: "1", token: "cmw_secret" } })).rejects.toThrow(
      "webhooks.update needs a body"
    )
  })
})

describe("The credentials of a call", () => {
  const secrets = { bot: "cmb_secret/bot", admin: "cma_secret/admin" }
  const path = { webhook_id: "1", token: "cmw_secret/hook" }
  const leaking = createClient(options({
    credentials: secrets,
    fetch: (url, init) => {
      const cause = new Error(`cannot reach ${JSON.stringify(Array.from(new Headers(init?.headers)))}`)
      return Promise.reject(new TypeError(`no route to ${new Request(url).url}`, { cause }))
    }
  }))

  it.each<readonly [string, () => Promise<unknown>]>([
    ["webhook", () => leaking.webhooks.update({ path, body: {} })],
    ["bot", () => leaking.scheduledMessages.list()],
    ["admin", () => leaking.logs.readAuditLog()],
    ["admin", () => leaking.logs.streamEvents()[Symbol.asyncIterator]().next()]
  ])("are in nothing that an error shows, even if fetch puts them into its own: %s", async (_, fail) => {
    const error = await rejectionOf(fail())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(inspect(error, { depth: Infinity, showHidden: true })).toContain("no route to http://127.0.0.1:9")
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/secret/)
    expect(JSON.stringify(error)).not.toMatch(/secret/)
  })

  it.each([
    ["a known error", "UNAUTHORIZED"],
    ["an unknown error", "FST_ERR_BAD_URL"],
    ["an error whose code repeats it, too", "cmb_secret/bot"]
  ])("are in nothing that an error shows, even if the server repeats the request: %s", async (_, code) => {
    const server = await serve((response, { headers: { authorization = "" }, target }) => {
      const message = `'${target}' of ${authorization} is not valid`
      response.writeHead(400, { "content-type": "application/json" })
      response.end(JSON.stringify({
        code,
        message,
        errors: [
          { path: authorization, message, code: "INVALID_FORMAT" },
          { path: "a", message, code: authorization }
        ]
      }))
    })
    const client = createClient({ baseUrl: server.baseUrl, credentials: secrets })
    const failures = await Promise.all([
      rejectionOf(client.webhooks.update({ path, body: {} })),
      rejectionOf(client.scheduledMessages.list()),
      rejectionOf(client.logs.readAuditLog()),
      rejectionOf(client.logs.streamEvents()[Symbol.asyncIterator]().next())
    ])
    const seen = failures.map((failure) => inspect(failure, { depth: Infinity, showHidden: true }))
    expect(seen.join("\n")).toContain("is not valid")
    expect(seen.join("\n")).not.toMatch(/secret/)
    expect(JSON.stringify(failures)).not.toMatch(/secret/)
  })

  it("are left out of an error, also if they are digits alone", async () => {
    const server = await serve((response, { headers: { authorization = "" } }) => {
      response.writeHead(401, { "content-type": "application/json" })
      response.end(JSON.stringify({ code: "UNAUTHORIZED", message: `${authorization} is not known` }))
    })
    const client = createClient({ baseUrl: server.baseUrl, credentials: { admin: "1234567890123456" } })
    await expect(client.logs.readAuditLog()).rejects.toThrow("Admin … is not known")
  })

  it("are left out of an error, but not the ids of the request", async () => {
    const server = await serve(
      answer(404, { code: "UNKNOWN_WEBHOOK", message: "There is no webhook 573071110963200001." })
    )
    const client = createClient({ baseUrl: server.baseUrl })
    await expect(client.webhooks.update({ path: { ...path, webhook_id: "573071110963200001" }, body: {} }))
      .rejects.toThrow("There is no webhook 573071110963200001.")
  })

  it("are not sent to the target of a redirect", async () => {
    const other = await serve(answer(200, []))
    const server = await serve(answer(307, "", { location: other.baseUrl }))
    const client = createClient({ baseUrl: server.baseUrl, credentials: secrets })
    await expect(client.scheduledMessages.list()).rejects.toThrow("the server redirects: check baseUrl")
    expect(other.requests).toEqual([])
  })

  it("are only those that the operation needs", async () => {
    const server = await serve(answer(200, {}))
    const client = createClient({ baseUrl: server.baseUrl, credentials: secrets })
    await client.scheduledMessages.list()
    await client.logs.readAuditLog()
    await client.webhooks.update({ path, body: { name: "Builds" } })
    expect(server.requests.map(({ headers, target }) => [headers.authorization, target])).toEqual([
      ["Bot cmb_secret/bot", "/v1/users/@me/scheduled-messages"],
      ["Admin cma_secret/admin", "/v1/admin/audit-log"],
      [undefined, "/v1/webhooks/1/cmw_secret%2Fhook"]
    ])
  })
})
