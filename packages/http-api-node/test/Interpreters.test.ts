import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { request as httpRequest } from "node:http"
import { byNode, byPlatform, Port } from "./ExampleApi.ts"

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request as it is; resolves to all of the answer but what names the moment and the connection. */
const send = (port: number, path: string, { body, headers = {}, method = "GET" }: Sent) =>
  Effect.async<{ readonly status: number | undefined; readonly headers: unknown; readonly body: string }>((resume) => {
    const outgoing = httpRequest({ port, host: "127.0.0.1", path, method, headers, agent: false }, (answer) => {
      const pieces: Array<Uint8Array> = []
      answer.on("data", (piece: Uint8Array) => pieces.push(piece))
      answer.on("end", () => {
        const { connection: _connection, date: _date, ...rest } = answer.headers
        resume(Effect.succeed({
          status: answer.statusCode,
          headers: rest,
          body: Buffer.concat(pieces).toString("base64")
        }))
      })
    })
    outgoing.end(body)
  })

const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value)
})

const typed = (method: string, type: string, body: string): Sent => ({
  method,
  headers: { "content-type": type },
  body
})

const multipart = (name: string, path: string): readonly [string, string, number, Sent] => [
  name,
  path,
  200,
  typed(
    "POST",
    "multipart/form-data; boundary=cut",
    "--cut\r\ncontent-disposition: form-data; name=\"note\"\r\n\r\nkeep\r\n" +
      "--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\ncontent-type: text/plain\r\n\r\nbytes\r\n" +
      "--cut--\r\n"
  )
]

const get = (name: string, path: string, status: number, headers: Readonly<Record<string, string>> = {}) =>
  [name, path, status, { headers }] as const

const exchanges: ReadonlyArray<readonly [name: string, path: string, status: number, sent: Sent]> = [
  get("a value that is encoded as it is", "/plain", 200),
  get("a value that is transformed", "/transformed", 200),
  get("nothing", "/nothing", 204),
  get("another status", "/created", 201),
  get("the first of two schemas", "/either/plain", 200),
  get("the second of two schemas", "/either/other", 202),
  get("text", "/text", 200),
  get("text of another type", "/typed-text", 200),
  get("bytes", "/bytes", 200),
  get("a form", "/form", 200),
  get("a response of the handler's own, with a cookie", "/own", 206),
  get("a value that does not fit its transformation", "/unfit", 400),
  get("an error of the endpoint", "/gone", 410),
  get("a defect that is an error of the API", "/broken", 409),
  ["the headers alone", "/plain", 200, { method: "HEAD" }],
  ["the headers of text alone", "/text", 200, { method: "HEAD" }],
  get("an unknown path", "/unknown", 404),
  ["a method that the path has not", "/plain", 404, { method: "DELETE" }],
  get("path, query and headers", "/parts/7/of/a?limit=3&tag=x&tag=y", 200, { "x-mood": "good" }),
  get("a list of one in the query", "/parts/7/of/a?tag=x", 200),
  get("percent-encoded parameters", "/parts/7/of/a%2Fb%20%C3%A9?tag=%26&tag=a+b", 200),
  get("a parameter of the path that is wrong", "/parts/seven/of/a", 400),
  get("a parameter of the query that is wrong", "/parts/7/of/a?limit=many", 400),
  get("a header that is wrong", "/parts/7/of/a", 400, { "x-mood": "mixed" }),
  get("a payload in the query", "/queried?word=hello", 200),
  get("a payload in the query that is wrong", "/queried", 400),
  ["a body", "/posted?with=query", 200, json({ name: "é", count: 2 })],
  ["a body without a content type", "/posted", 200, { method: "POST", body: "{\"name\":\"a\"}" }],
  ["a body with members that the schema does not know", "/posted", 200, json({ name: "a", other: 1 })],
  ["a body that is wrong", "/posted", 400, json({ count: 2 })],
  ["a body that is no JSON", "/posted", 400, typed("POST", "application/json", "{")],
  ["a body that is not there", "/posted", 400, { method: "POST" }],
  ["a body of another type", "/posted", 400, typed("POST", "text/plain", "{}")],
  ["a form as body", "/fields", 200, typed("PUT", "application/x-www-form-urlencoded", "name=a%26b+c")],
  ["a form that is wrong", "/fields", 400, typed("PUT", "application/x-www-form-urlencoded", "other=a")],
  ["text as body", "/said", 200, typed("POST", "text/plain", "hé")],
  ["a body that the handler reads", "/raw", 200, typed("POST", "application/json", "not looked at")],
  multipart("an upload", "/upload"),
  multipart("an upload as a stream", "/uploads"),
  ["cookies and the client's address", "/patched/a", 200, { method: "PATCH", headers: { cookie: "a=1; b=%20" } }],
  ["another method of the same path", "/patched/a", 204, { method: "DELETE" }],
  get("no credential", "/secret", 401),
  get("a bearer token", "/secret", 200, { authorization: "Bearer good1" }),
  get("a bearer token that is wrong", "/secret", 401, { authorization: "Bearer bad" }),
  get("a key in a header", "/secret", 200, { "x-key": "good2" }),
  get("a key in the query", "/secret?key=good3", 200),
  get("a name and a password", "/secret", 200, {
    authorization: `Basic ${Buffer.from("good4:secret").toString("base64")}`
  }),
  get("an optional middleware that lets pass", "/open", 200, { "x-guest": "Ada" }),
  get("an optional middleware that fails", "/open", 200),
  get("a middleware that fails", "/shut", 503)
]

class Ports extends Context.Tag("Ports")<Ports, { readonly node: number; readonly platform: number }>() {}

const portOf = (served: typeof byNode) => Effect.map(Layer.build(served), (context) => Context.get(context, Port))

const bothServed = Layer.scoped(Ports, Effect.all({ node: portOf(byNode), platform: portOf(byPlatform) }))

layer(bothServed, { excludeTestServices: true })("Our interpreter answers what the platform's does", (it) => {
  it.effect.each(exchanges)("to a request for %s", ([, path, status, sent]) =>
    Effect.gen(function*() {
      const { node, platform } = yield* Ports
      const [ours, theirs] = yield* Effect.all([send(node, path, sent), send(platform, path, sent)])
      expect(theirs.status).toBe(status)
      expect(ours).toEqual(theirs)
    }))
})
