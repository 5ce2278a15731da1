import { Redacted } from "effect"
import type { Sample } from "../../browser/PageFacts.d.ts"
import type { DemoFacts } from "./DemoFacts.ts"

const repository = {
  id: 7,
  name: "kiln",
  full_name: "riverside/kiln",
  html_url: "https://code.example/riverside/kiln",
  stargazers_count: 128
}

const sender = {
  id: 42,
  login: "bjork",
  html_url: "https://code.example/bjork",
  avatar_url: "https://code.example/bjork.png"
}

/** A push of one commit. */
export const push = {
  ref: "refs/heads/main",
  compare: "https://code.example/riverside/kiln/compare/1a2b3c4...5d6e7f8",
  forced: false,
  commits: [{
    id: "5d6e7f8a9b0c1d2e3f405162738495a6b7c8d9e0",
    message: "Let the kiln cool down slowly",
    url: "https://code.example/riverside/kiln/commit/5d6e7f8",
    author: { name: "Björk Jónsdóttir", username: "bjork" }
  }],
  repository,
  sender
}

const PULL_REQUEST_BODY = [
  "Firing faster than **120 °C per hour** cracks the glaze.",
  "- limits the ramp in `heat.js`",
  "- says so in the log",
  "",
  "> Tested with two bowls and a teapot."
].join("\n")

const pullRequest = {
  action: "opened",
  pull_request: {
    id: 31,
    number: 31,
    title: "Limit how fast the kiln heats up",
    html_url: "https://code.example/riverside/kiln/pull/31",
    body: PULL_REQUEST_BODY,
    user: sender
  },
  repository,
  sender
}

const release = {
  action: "published",
  release: {
    id: 4,
    tag_name: "v2.4.0",
    name: "Slow and steady",
    html_url: "https://code.example/riverside/kiln/releases/v2.4.0",
    body: "The kiln now cools down slowly, and reports its temperature as `°C`."
  },
  repository,
  sender
}

/** A new error. */
export const newError = {
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

/** The same error, resolved. */
const resolvedError = {
  ...newError,
  action: "resolved",
  data: { issue: { ...newError.data.issue, status: "resolved" } }
}

/** The path of the demo's webhook. */
const webhookPath = ({ webhook }: DemoFacts): string => `/webhooks/${webhook.id}/${Redacted.value(webhook.token)}`

/** The notifications that the demo's page can send. */
export const samples = (facts: DemoFacts): ReadonlyArray<Sample> => {
  const codeHost = (title: string, event: string, body: unknown): Sample => ({
    title,
    path: `${webhookPath(facts)}/github`,
    headers: { "X-GitHub-Event": event },
    body
  })
  const errorTracker = (title: string, body: unknown): Sample => ({
    title,
    path: `${webhookPath(facts)}/sentry`,
    headers: { "Sentry-Hook-Resource": "issue" },
    body
  })
  return [
    codeHost("Code host: a push", "push", push),
    codeHost("Code host: a pull request", "pull_request", pullRequest),
    errorTracker("Error tracker: a new error", newError),
    errorTracker("Error tracker: an error is resolved", resolvedError),
    codeHost("Code host: a release", "release", release),
    codeHost("Code host: a star", "watch", { action: "started", repository, sender })
  ]
}
