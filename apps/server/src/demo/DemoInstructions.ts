import { Option, Redacted } from "effect"
import type { DemoFacts, DemoRole } from "./DemoFacts.ts"
import { newError, push } from "./DemoSamples.ts"

/** An example request of one of the eight operations. */
export interface Trial {
  readonly title: string
  readonly method: "GET" | "POST" | "PATCH"
  /** As in the OpenAPI document, such as `/guilds/{guild_id}/members-search`. */
  readonly path: string
  readonly pathParameters?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A PNG of one pixel. */
const PIXEL = "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** An example request of each operation, in their order in the API reference. */
export const trials = (facts: DemoFacts): ReadonlyArray<Trial> => {
  const bot = { Authorization: `Bot ${Redacted.value(facts.bot_token)}` }
  const admin = { Authorization: `Admin ${Redacted.value(facts.admin_key)}` }
  const webhook = { webhook_id: facts.webhook.id, token: Redacted.value(facts.webhook.token) }
  return [
    {
      title: "Let the bot of the Weather application join the guild (OAuth2 consent)",
      method: "POST",
      path: "/oauth2/authorize/consent",
      headers: bot,
      body: {
        client_id: facts.application.client_id,
        scope: "identify bot",
        redirect_uri: facts.application.redirect_uri,
        state: "xyz",
        permissions: "3072",
        guild_id: facts.guild_id
      }
    },
    {
      title: "List the scheduled messages of the bot",
      method: "GET",
      path: "/users/@me/scheduled-messages",
      headers: bot
    },
    {
      title: "Search the members of the guild: accents and scripts do not matter",
      method: "POST",
      path: "/guilds/{guild_id}/members-search",
      pathParameters: { guild_id: facts.guild_id },
      headers: bot,
      body: { query: "jonsdottir", sort_by: "relevance", limit: 5 }
    },
    {
      title: "Schedule the deletion of an account",
      method: "POST",
      path: "/admin/users/schedule-deletion",
      headers: admin,
      body: { user_id: facts.user_id, reason_code: 1, public_reason: "At their own wish", days_until_deletion: 14 }
    },
    {
      title: "Change the e-mail address of an account",
      method: "POST",
      path: "/admin/users/change-email",
      headers: admin,
      body: { user_id: facts.user_id, email: `user-${facts.user_id}@example.com` }
    },
    {
      title: "Post a code-hosting notification through the webhook (204: nothing comes back)",
      method: "POST",
      path: "/webhooks/{webhook_id}/{token}/github",
      pathParameters: webhook,
      headers: { "X-GitHub-Event": "push" },
      body: push
    },
    {
      title: "Post an error-tracking notification through the webhook (204: nothing comes back)",
      method: "POST",
      path: "/webhooks/{webhook_id}/{token}/sentry",
      pathParameters: webhook,
      headers: { "Sentry-Hook-Resource": "issue" },
      body: newError
    },
    {
      title: "Give the webhook another name and picture",
      method: "PATCH",
      path: "/webhooks/{webhook_id}/{token}",
      pathParameters: webhook,
      body: { name: "Kiln lights", avatar: PIXEL }
    }
  ]
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curl = (baseUrl: string, { body, headers, method, path, pathParameters = {} }: Trial): string => {
  const url = `${baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? "")}`
  const allHeaders = { ...headers, ...body !== undefined && { "Content-Type": "application/json" } }
  return [
    `curl -sS -w '\\n%{http_code}\\n' -X ${method} ${quote(url)}`,
    ...Object.entries(allHeaders).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]
  ].join(" \\\n  ")
}

/** The situation of a demo, on which the instructions depend. */
interface Situation {
  /** The file with the facts. */
  readonly file: string
  readonly role: DemoRole
  /** Why the page is not served; none if it is. */
  readonly pageRefusal: Option.Option<string>
}

/**
 * Returns the instructions: the page to open in a browser, and a command for each operation that can be pasted into a shell.
 */
export const instructions = (facts: DemoFacts, { file, pageRefusal, role }: Situation): string => {
  const origin = facts.base_url.replace(/\/v1$/, "")
  return [
    ...Option.match(pageRefusal, {
      onNone: () => [
        `Open ${origin}/demo in a browser to see the community, live.`,
        `The API is at ${facts.base_url}. Its documentation, with credentials filled in to try it: ${origin}/demo/docs`
      ],
      onSome: (reason) => [
        `There is no page at ${origin}/demo: ${reason}.`,
        `The API is at ${facts.base_url}, its documentation at ${facts.base_url}/docs.`
      ]
    }),
    "Try its eight operations: paste any of these commands into another terminal.",
    ...trials(facts).map((trial, index) => `# ${index + 1}. ${trial.title}\n${curl(facts.base_url, trial)}`),
    `The same facts, for programs: ${file}${role === "owner" ? "" : " (another running demo uses demo.json)"}`,
    // Repeated, because the commands are long.
    ...(Option.isNone(pageRefusal) ? [`Open ${origin}/demo in a browser.`] : []),
    "Stop with Ctrl+C. The data is kept for the next start."
  ].join("\n\n")
}
