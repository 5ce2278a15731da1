import axe from "axe-core"
import { Context, Effect, Layer, Schema } from "effect"
import { readFileSync } from "node:fs"
import type { Browser as Chromium, Page } from "playwright-core"
import { expect } from "vitest"
import { DemoFacts } from "../../src/demo/DemoFacts.ts"
import { dataDirectory } from "../command-line/Terminal.ts"
import { build, serve } from "../program/Program.ts"
import { launched } from "./Chromium.ts"

const decodeFacts = Schema.decodeSync(Schema.parseJson(DemoFacts))

/** The timeout of a step on a page, in milliseconds: a busy machine is no failure. */
export const PAGE_TIMEOUT = 120_000

/** A running demo, and a browser to look at it. */
export class Demo extends Context.Tag("@community-messaging/server/test/browser/Demo")<Demo, {
  readonly browser: Chromium
  readonly origin: string
  readonly facts: DemoFacts
}>() {
  static readonly layer = Layer.scoped(
    Demo,
    Effect.gen(function*() {
      build()
      const DATA_DIR = yield* dataDirectory
      const program = yield* serve(["--demo"], { DATA_DIR })
      yield* program.prints("Stop with Ctrl+C")
      const facts = decodeFacts(readFileSync(`${DATA_DIR}/demo.json`, "utf8"))
      return { browser: yield* launched, origin: new URL(program.baseUrl).origin, facts }
    })
  )
}

/** How a test opens a page. */
export interface Look {
  readonly width?: number
  readonly height?: number
  /** Whether the test adds scripts to the page. */
  readonly isInstrumented?: boolean
}

/** Opens a page. Fails if a request goes to another server, or a script fails. */
export const look = (
  { height = 900, isInstrumented = false, width = 1280 }: Look,
  see: (page: Page, demo: Context.Tag.Service<typeof Demo>) => Promise<void>
) =>
  Effect.flatMap(Demo, (demo) =>
    Effect.promise(async () => {
      const context = await demo.browser.newContext({
        baseURL: demo.origin,
        viewport: { width, height },
        bypassCSP: isInstrumented
      })
      const strange: Array<string> = []
      const page = await context.newPage()
      page.setDefaultTimeout(PAGE_TIMEOUT)
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url())
        if (protocol.startsWith("http") && origin !== demo.origin) strange.push(`request to ${request.url()}`)
      })
      page.on("pageerror", ({ message }) => strange.push(`error: ${message}`))
      page.on("console", (message) => {
        if (message.type() === "error") strange.push(`console: ${message.text()}`)
      })
      try {
        await see(page, demo)
      } finally {
        await context.close()
      }
      expect(strange).toEqual([])
    }))

/** Posts a notification like a code host. */
export const notify = async (
  { facts: { webhook }, origin }: Context.Tag.Service<typeof Demo>,
  event: string,
  body: object
): Promise<void> => {
  const { value } = Schema.encodeSync(Schema.Struct({ value: Schema.Redacted(Schema.String) }))({
    value: webhook.token
  })
  const response = await fetch(`${origin}/v1/webhooks/${webhook.id}/${value}/github`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-github-event": event },
    body: JSON.stringify(body)
  })
  expect(response.status).toBe(204)
}

/** The serious accessibility violations that axe finds on the page. */
export const seriousViolations = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe.source)
  return page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target).join(" ")))`)
}
