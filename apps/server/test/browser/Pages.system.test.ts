import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, layer } from "@effect/vitest"
import { Layer } from "effect"
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { Demo, look, notify, PAGE_TIMEOUT, seriousViolations } from "./Browser.ts"
import { isLeftOut, NEEDED } from "./Chromium.ts"

const OPERATIONS = [
  "post /v1/oauth2/authorize/consent",
  "get /v1/users/@me/scheduled-messages",
  "post /v1/guilds/{guild_id}/members-search",
  "post /v1/admin/users/schedule-deletion",
  "post /v1/admin/users/change-email",
  "post /v1/webhooks/{webhook_id}/{token}/github",
  "post /v1/webhooks/{webhook_id}/{token}/sentry",
  "patch /v1/webhooks/{webhook_id}/{token}"
]

const PHONE = { width: 360, height: 740 }

const repository = { id: 7, name: "kiln", full_name: "riverside/kiln" }

const star = (login: string) => ({ action: "started", sender: { id: 1, login }, repository })

/** The page's module as a script, which declares `markdownView`. */
const markdownView = async () => {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL("../../browser/MarkdownView.ts", import.meta.url))],
    bundle: true,
    format: "iife",
    globalName: "markdownView",
    write: false
  })
  return bundle.outputFiles[0]?.text
}

/** Texts of messages, and their HTML. */
const RENDERINGS = [
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
  ["<!-- x --><svg/onload=alert(1)>", "<p>&lt;!-- x --&gt;&lt;svg/onload=alert(1)&gt;</p>"],
  ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
  ["[x](//evil.example)", "<p><span>x</span></p>"],
  ["![alt](https://evil.example/x.png)", "<p>alt</p>"],
  ["# Title", "<p class=\"heading\">Title</p>"],
  ["**b** _i_ ~~s~~ `<c>`", "<p><strong>b</strong> <em>i</em> <s>s</s> <code>&lt;c&gt;</code></p>"],
  ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
  ["```\n<x>\n```", "<pre><code>&lt;x&gt;\n</code></pre>"],
  [
    "https://code.example/a?b&c",
    "<p><a href=\"https://code.example/a?b&amp;c\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">" +
    "https://code.example/a?b&amp;c</a></p>"
  ],
  ["www.example.com a@b.example", "<p>www.example.com a@b.example</p>"]
] as const

const openDemo = async (page: Page): Promise<void> => {
  await page.goto("/demo")
  await page.locator("#connection[data-state=live]").waitFor()
  await page.locator("#members li").first().waitFor()
}

const testButtons = async (page: Page) => {
  const buttons = page.getByRole("button", { name: "Test Request" })
  await buttons.nth(OPERATIONS.length - 1).waitFor()
  return buttons
}

const horizontalScroll = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

const expectAccessible = async (page: Page): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await seriousViolations(page), await horizontalScroll(page)]).toEqual([colorScheme, [], 0])
  }
}

describe.skipIf(isLeftOut)(`In a browser${NEEDED}`, () => {
  layer(Layer.provide(Demo.layer, NodeContext.layer))((it) => {
    it.effect("the front page leads to the demo", () =>
      look({}, async (page) => {
        await page.goto("/")
        await page.getByRole("link", { name: "The demo community" }).click()
        expect(new URL(page.url()).pathname).toBe("/demo")
      }))

    // Its contents are those of the demo's documentation, which takes seconds to show them.
    it.effect("the front page leads to the documentation", () =>
      look({}, async (page) => {
        await page.goto("/")
        const [response] = await Promise.all([
          page.waitForResponse((each) => each.request().isNavigationRequest()),
          page.getByRole("link", { name: "API documentation" }).click()
        ])
        expect([new URL(response.url()).pathname, response.status()]).toEqual(["/v1/docs", 200])
      }))

    describe("the demo", () => {
      it.effect("shows a notification that is posted while the page is open", () =>
        look({}, async (page, demo) => {
          await openDemo(page)
          await notify(demo, "watch", star("ingibjorg"))
          const message = page.locator("#log > article").filter({ hasText: "ingibjorg" })
          await message.waitFor()
          expect(await message.textContent()).toContain("[riverside/kiln] New star added")
        }))

      it.effect("sends a sample notification by keyboard alone", () =>
        look({}, async (page) => {
          await openDemo(page)
          await page.keyboard.press("Tab")
          expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to messages")
          await page.keyboard.press("Enter")
          await page.keyboard.press("Tab")
          while (await page.evaluate("document.activeElement.id") !== "sample") await page.keyboard.press("Tab")
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          await page.locator("#log > article").filter({ hasText: "Let the kiln cool down slowly" }).first().waitFor()
          await page.locator("#log[aria-live=polite]").waitFor()
        }))

      it.effect("shows hostile text of a notification as text", () =>
        look({}, async (page, demo) => {
          const hostile =
            "<img src=x onerror=\"document.title='hacked'\"> [click](javascript:alert(1)) ![x](https://evil.example/x.png)"
          await openDemo(page)
          await notify(demo, "issues", {
            action: "opened",
            issue: { id: 1, number: 1, title: hostile, body: `${hostile}\n<script>document.title = "hacked"</script>` },
            sender: { id: 1, login: "<b>mallory</b>" },
            repository
          })
          await page.locator("#log > article").filter({ hasText: "mallory" }).waitFor()
          expect(await page.locator("#log :is(img, script, b, iframe, a[href^=javascript])").count()).toBe(0)
          expect(await page.title()).toBe("Community Messaging demo")
        }))

      it.effect("renders Markdown like chat clients, and no other markup", () =>
        look({}, async (page) => {
          await page.goto("/demo")
          const rendered = await page.evaluate(
            `${await markdownView()}
            ${
              JSON.stringify(RENDERINGS.map(([markdown]) => markdown))
            }.map((text) => markdownView.render(text, "").innerHTML)`
          )
          expect(rendered).toEqual(RENDERINGS.map(([, html]) => html))
        }))

      it.effect("searches members while the user types", () =>
        look({}, async (page) => {
          await openDemo(page)
          const total = page.locator("#total")
          await total.filter({ hasText: /^321 members/ }).waitFor()
          await page.locator("#query").pressSequentially("jonsdottir")
          await total.filter({ hasText: /^8 members/ }).waitFor()
          await page.locator("#query").pressSequentially(" bjork")
          await total.filter({ hasText: /^2 members/ }).waitFor()
          expect(await page.locator("#members li").count()).toBe(2)
          await page.locator("#query").fill("nobody at all")
          await total.filter({ hasText: "No member matches." }).waitFor()
          expect(await page.locator("#members li").count()).toBe(0)
        }))

      it.effect("counts down to the deletion of an account, and cancels it", () =>
        look({}, async (page) => {
          await openDemo(page)
          await page.getByRole("button", { name: "Schedule one" }).click()
          const row = page.locator("#deletions li")
          await row.locator(".countdown").filter({ hasText: /^13 d 23:59:\d\d$/ }).waitFor()
          await row.getByRole("button", { name: /^Cancel/ }).click()
          await row.waitFor({ state: "detached" })
          // The page reads the events of both again, and searches for names before the user does.
          await openDemo(page)
          await page.locator("#query").fill("jonsdottir")
          await page.locator("#total").filter({ hasText: /^8 members/ }).waitFor()
          expect(await row.count()).toBe(0)
        }))

      it.effect("schedules a message, and cancels it", () =>
        look({}, async (page) => {
          await openDemo(page)
          await page.getByRole("button", { name: "Post in 15 s" }).click()
          const soon = page.locator("#scheduled li").filter({ hasText: /00:00:\d\d/ })
          await soon.getByRole("button").click()
          await soon.waitFor({ state: "detached" })
        }))

      it.effect("follows the events again after a response that is no stream, each of them once", () =>
        look({}, async (page, demo) => {
          await page.clock.install()
          await page.route("**/v1/admin/events?*", (route) => route.fulfill({ json: {} }), { times: 1 })
          await page.goto("/demo")
          const connection = page.locator("#connection")
          await connection.filter({ hasText: "Disconnected" }).waitFor()
          await page.clock.fastForward(15_000)
          await connection.filter({ hasText: "Live" }).waitFor()
          await notify(demo, "watch", star("once-only"))
          await page.locator("#log > article").filter({ hasText: "once-only" }).waitFor()
          expect(await page.locator("#log > article").filter({ hasText: "once-only" }).count()).toBe(1)
        }))

      it.effect("shows another channel", () =>
        look({}, async (page) => {
          await openDemo(page)
          await page.getByRole("button", { name: "# town-square" }).click()
          await page.getByRole("heading", { name: "# town-square" }).waitFor()
        }))

      for (const size of [PHONE, { width: 1280, height: 900 }]) {
        it.effect(`is accessible, ${size.width} pixels wide`, () =>
          look({ ...size, isInstrumented: true }, async (page, demo) => {
            await page.goto("/")
            await expectAccessible(page)
            await openDemo(page)
            await notify(demo, "watch", star(`an-account-with-a-very-long-name-${size.width}`))
            await page.locator("#log > article").filter({ hasText: `name-${size.width}` }).waitFor()
            await page.getByRole("button", { name: "Schedule one" }).click()
            await page.locator("#deletions li").waitFor()
            await expectAccessible(page)
          }))
      }
    })

    // Last, because it changes the community of the demo.
    it.effect(
      "the demo's documentation sends every operation with credentials and an example that work",
      () =>
        look({}, async (page) => {
          await page.goto("/")
          await page.getByRole("link", { name: "to try with the demo's credentials" }).click()
          await testButtons(page)
          // By their texts: for the roles and names of all buttons, the browser takes seconds of this large page each time.
          for (const operation of OPERATIONS) {
            const [method = "", path = ""] = operation.split(" ")
            const pattern = new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
            await page.locator("button").filter({ hasText: `(${operation})` }).first().click()
            const [response] = await Promise.all([
              page.waitForResponse((each) =>
                pattern.test(each.url()) && each.request().method() === method.toUpperCase()
              ),
              page.locator("button").filter({ hasText: /^\s*Send/ }).first().click()
            ])
            expect([operation, response.ok()]).toEqual([operation, true])
            await page.keyboard.press("Escape")
            await page.locator("button").filter({ hasText: /^\s*Send/ }).first().waitFor({ state: "hidden" })
          }
        }),
      3 * PAGE_TIMEOUT
    )
  })
})
