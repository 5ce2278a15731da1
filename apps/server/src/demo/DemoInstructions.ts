import { Redacted } from "effect"
import type { DemoFacts, DemoRole } from "./DemoFacts.ts"

/** An example request of one of the eight operations. */
interface Trial {
  readonly title: string
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly headers?: ReadonlyArray<string>
  readonly body?: unknown
}

/** A PNG of one pixel. */
const PIXEL = "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const codeHostNotification = {
  ref: "refs/heads/main",
  compare: "https://code.example/riverside/kiln/compare/1a2b3c4...5d6e7f8",
  forced: false,
  commits: [{
    id: "5d6e7f8a9b0c1d2e3f405162738495a6b7c8d9e0",
    message: "Let the kiln cool down slowly",
    url: "https://code.example/riverside/kiln/commit/5d6e7f8",
    author: { name: "Björk Jónsdóttir", username: "bjork" }
  }],
  repository: { id: 7, name: "kiln", full_name: "riverside/kiln", html_url: "https://code.example/riverside/kiln" },
  sender: {
    id: 42,
    login: "bjork",
    html_url: "https://code.example/bjork",
    avatar_url: "https://code.example/bjork.png"
  }
}

const errorTrackerNotification = {
  action: "created",
  data: {
    issue: {
      id: "1001",
      shortId: "KILN-7",
      title: "TypeError: temperature is undefined",
      permalink: "https://errors.example/issues/1001",
      level: "error",
      status: "unresolved",
      platform: "javascript",
      culprit: "kiln/heat.js",
      count: "3",
      userCount: 2,
      project: { id: "1", name: "Kiln", slug: "kiln", platform: "javascript" }
    }
  },
  actor: { type: "application", id: "errors", name: "Error tracker" }
}

const trials = (facts: DemoFacts): ReadonlyArray<Trial> => {
  const bot = [`Authorization: Bot ${Redacted.value(facts.bot_token)}`]
  const admin = [`Authorization: Admin ${Redacted.value(facts.admin_key)}`]
  const webhook = `/webhooks/${facts.webhook.id}/${Redacted.value(facts.webhook.token)}`
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
      path: `/guilds/${facts.guild_id}/members-search`,
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
      path: `${webhook}/github`,
      headers: ["X-GitHub-Event: push"],
      body: codeHostNotification
    },
    {
      title: "Post an error-tracking notification through the webhook (204: nothing comes back)",
      method: "POST",
      path: `${webhook}/sentry`,
      headers: ["Sentry-Hook-Resource: issue"],
      body: errorTrackerNotification
    },
    {
      title: "Give the webhook another name and picture",
      method: "PATCH",
      path: webhook,
      body: { name: "Kiln lights", avatar: PIXEL }
    }
  ]
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curl = (baseUrl: string, { body, headers, method, path }: Trial): string =>
  [
    `curl -sS -w '\\n%{http_code}\\n' -X ${method} ${quote(`${baseUrl}${path}`)}`,
    ...[...headers ?? [], ...body === undefined ? [] : ["Content-Type: application/json"]].map((header) =>
      `-H ${quote(header)}`
    ),
    ...body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]
  ].join(" \\\n  ")

/**
 * Returns the instructions: the address of the service, and a command for each operation that can be pasted into a
 * shell.
 */
export const instructions = (facts: DemoFacts, file: string, role: DemoRole): string =>
  [
    `Community Messaging listens at ${facts.base_url} (API description: ${facts.base_url}/openapi.json)`,
    "Try its eight operations: paste any of these commands into another terminal.",
    ...trials(facts).map((trial, index) => `# ${index + 1}. ${trial.title}\n${curl(facts.base_url, trial)}`),
    `The same facts, for programs: ${file}${role === "owner" ? "" : " (another running demo uses demo.json)"}`,
    "Stop with Ctrl+C. The data is kept for the next start."
  ].join("\n\n")
