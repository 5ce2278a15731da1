import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as OpenApi from "@effect/platform/OpenApi"
import { Effect, Fiber } from "effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Reply } from "../server/replies/Reply.ts"
import { weightFor } from "./Preference.ts"

/** The options of the page. */
export interface Options {
  /** An OpenAPI document. */
  readonly document: object
  /** Whether the document contains secrets, so that no cache may store the page. */
  readonly isSecret: boolean
}

const PATH = "/"

/** Turns off everything that Scalar loads from or sends to other servers: fonts, a proxy for requests, telemetry. */
const CONFIGURATION = {
  withDefaultFonts: false,
  proxyUrl: "",
  telemetry: false,
  showToolbar: "never",
  hideClientButton: true,
  defaultOpenAllTags: true,
  documentDownloadType: "none",
  persistAuth: false,
  // Otherwise the browser requests one, which does not exist.
  favicon: "data:,",
  // On phones, examples of code are wider than the page.
  customCss: "html, body { overflow-x: clip; }"
}

/** Returns the platform's page for the document. */
const render = (options: Options): Effect.Effect<string> =>
  Effect.promise(async () => {
    // It contains Scalar, 3 MB of text, so it is loaded at the first request.
    const HttpApiScalar = await import("@effect/platform/HttpApiScalar")
    const api = HttpApi.make("documentation").annotate(OpenApi.Transform, () => options.document)
    const { dispose, handler } = HttpLayerRouter.toWebHandler(
      HttpApiScalar.layerHttpLayerRouter({ api, path: PATH, scalar: CONFIGURATION }),
      { disableLogger: true }
    )
    const response = await handler(new Request(`http://localhost${PATH}`))
    const html = await response.text()
    await dispose()
    // The platform's page does not declare its language.
    return html.replace("<html>", "<html lang=\"en\">")
  })

/** The digests of the scripts in the page, as sources of a content security policy. */
const scriptSources = (html: string): string =>
  Array.from(
    html.matchAll(/<script>([\s\S]*?)<\/script>/g),
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  ).join(" ")

/** Only the page's own scripts run, and they can reach only this server. */
const contentPolicy = (html: string): string =>
  [
    "default-src 'none'",
    // Scalar's highlighter is compiled to WebAssembly.
    `script-src 'wasm-unsafe-eval' ${scriptSources(html)}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const compress = promisify(gzip)

/** A page in both codings, with the headers of both. */
const make = (options: Options) =>
  Effect.gen(function*() {
    const html = yield* render(options)
    const plain = Buffer.from(html)
    const headers = {
      ...(!options.isSecret && { "cache-control": "public, max-age=300" }),
      "content-security-policy": contentPolicy(html),
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      vary: "accept-encoding"
    }
    const reply = (content: Uint8Array, coding: Readonly<Record<string, string>>): Reply => ({
      status: 200,
      headers: { ...headers, ...coding },
      body: { contentType: "text/html; charset=utf-8", content }
    })
    const compressed = yield* Effect.promise(() => compress(plain))
    return { compressed: reply(compressed, { "content-encoding": "gzip" }), plain: reply(plain, {}) }
  })

/**
 * Answers requests for an API documentation page on which operations can be tried. The page is some 3 MB, so it is made and
 * compressed at the first request, and cached. Everything is part of the page: it loads nothing else.
 */
export const answer = (
  options: Effect.Effect<Options>
): Effect.Effect<(request: IncomingMessage) => Effect.Effect<Reply>> =>
  Effect.map(
    // The page belongs to no request: the first client may disconnect before it is made, and all others share it.
    Effect.cached(Effect.forkDaemon(Effect.flatMap(options, make))),
    (making) => ({ headers }) =>
      Effect.map(
        Effect.flatMap(Effect.uninterruptible(making), (fiber) => Effect.flatten(Fiber.await(fiber))),
        ({ compressed, plain }) => weightFor(headers["accept-encoding"]?.toString(), "gzip") > 0 ? compressed : plain
      )
  )
