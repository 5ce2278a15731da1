import * as DocumentationPage from "@community-messaging/http-adapter/pages/DocumentationPage"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { targetOf } from "@community-messaging/http-adapter/server/Routes"
import { Deferred, Effect, Option, Redacted } from "effect"
import type { IncomingMessage } from "node:http"
import type { PageFacts } from "../../browser/PageFacts.d.ts"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as DemoActions from "./DemoActions.ts"
import * as DemoAssets from "./DemoAssets.ts"
import { demoDocument } from "./DemoDocument.ts"
import type { DemoFacts } from "./DemoFacts.ts"
import * as DemoPageAccess from "./DemoPageAccess.ts"
import { samples } from "./DemoSamples.ts"

/** Headers that prevent other sites from using these replies. */
const HEADERS = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer"
}

/** The page loads from and calls only this server, runs only its own modules, and makes no markup of texts. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const INDEX_HEADERS = {
  ...HEADERS,
  "content-security-policy": CONTENT_POLICY,
  "cross-origin-opener-policy": "same-origin"
}

const PATH = "/demo"

/** The facts and actions of the page, once the demo is prepared. */
interface Prepared {
  readonly facts: DemoFacts
  readonly actions: DemoActions.DemoActions
}

/** The pages of the demo. */
export interface DemoPage {
  readonly pages: ReadonlyArray<Page>
  /** Why the page is not served; none if it is. */
  readonly refusal: Option.Option<string>
  /** Begins to answer the requests for the demo, the earlier ones first. */
  readonly open: (facts: DemoFacts) => Effect.Effect<void, never, DemoActions.Services>
}

/** Returns the demo's facts for the page. */
const shown = ({ actions, facts }: Prepared) =>
  Effect.map(actions.community, ({ channels, guild }): PageFacts => ({
    bot_token: Redacted.value(facts.bot_token),
    admin_key: Redacted.value(facts.admin_key),
    guild,
    channels,
    channel_id: facts.channel_id,
    user_id: facts.user_id,
    samples: samples(facts)
  }))

type Answer = (request: IncomingMessage) => Effect.Effect<Reply.Reply>

const page = (path: string, reply: Page["reply"]): Page => ({ _tag: "Page", path: `${PATH}${path}`, reply })

const text = (contentType: string, content: string, headers: Reply.Headers = HEADERS): Answer => () =>
  Effect.succeed(Reply.text(200, contentType, content, headers))

/** The page with the reason why the demo is not served. */
const refusedPage = (reason: string): Page =>
  page("", DemoPageAccess.forbidden(`The demo's page is not served: ${reason}.`))

/** Makes the pages for the actions of the demo's page. */
const actionPages = (prepared: Effect.Effect<Prepared>, guarded: (reply: Answer) => Answer): ReadonlyArray<Page> => {
  const act = (
    path: string,
    perform: (actions: DemoActions.DemoActions, query: URLSearchParams) => DemoActions.Action
  ): Page => ({
    ...page(
      path,
      guarded((request) =>
        Effect.flatMap(
          prepared,
          ({ actions }) => perform(actions, new URLSearchParams(targetOf(request).query))
        )
          .pipe(
            Effect.match({
              onSuccess: (): Reply.Reply => ({ status: 204, headers: HEADERS, body: undefined }),
              onFailure: ({ message }) => Reply.json(409, { code: "CONFLICT", message }, HEADERS)
            })
          )
      )
    ),
    method: "POST"
  })
  return [
    act("/schedule-message", ({ scheduleMessage }) => scheduleMessage),
    act("/cancel-message", ({ cancelMessage }, query) => cancelMessage(query.get("id") ?? "")),
    act("/cancel-deletion", ({ cancelDeletion }, query) => cancelDeletion(query.get("user_id") ?? ""))
  ]
}

/** Makes the pages of the demo, and waits for the demo. */
export const make = (configuration: ServerConfiguration) =>
  Effect.gen(function*() {
    const preparing = yield* Deferred.make<Prepared>()
    const prepared = Deferred.await(preparing)
    const refusal = DemoPageAccess.refusal(configuration)
    const open: DemoPage["open"] = (facts) =>
      Effect.flatMap(DemoActions.make(facts), (actions) => Deferred.succeed(preparing, { facts, actions }))
    if (Option.isSome(refusal)) return { open, refusal, pages: [refusedPage(refusal.value)] } satisfies DemoPage

    const guarded = (kind: "document" | "data") => (reply: Answer): Answer => (request) =>
      Option.match(DemoPageAccess.refuse(request, configuration, kind), {
        onNone: () => reply(request),
        onSome: Effect.succeed
      })
    const [asDocument, asData] = [guarded("document"), guarded("data")]

    const { files, index } = yield* DemoAssets.load
    const documentation = yield* DocumentationPage.answer(
      Effect.map(prepared, ({ facts }) => ({ document: demoDocument("/", facts), isSecret: true }))
    )
    const pages: ReadonlyArray<Page> = [
      {
        ...page("", asDocument(text(index.contentType, index.content, INDEX_HEADERS))),
        link: { name: "demo", title: "The demo community, live" }
      },
      page("/", { status: 308, headers: { location: PATH }, body: undefined }),
      ...files.map(({ content, contentType, name }) => page(`/${name}`, asDocument(text(contentType, content)))),
      page(
        "/facts.json",
        asData(() => Effect.map(Effect.flatMap(prepared, shown), (facts) => Reply.json(200, facts, HEADERS)))
      ),
      {
        ...page("/docs", asDocument(documentation)),
        link: { name: "demo_documentation", title: "The API, to try with the demo's credentials" }
      },
      ...actionPages(prepared, asData)
    ]
    return { open, refusal, pages } satisfies DemoPage
  })
