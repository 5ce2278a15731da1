import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const Webhooks = Schema.parseJson(
  Schema.Array(Schema.Struct({
    name: Schema.String,
    examples: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  }))
)

/** The host's own service, and its self-hosted versions. */
export const HOSTS = ["api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"] as const

const require = createRequire(import.meta.url)

const fileOf = (host: (typeof HOSTS)[number]): string =>
  join(dirname(require.resolve("@octokit/webhooks-examples/package.json")), host, "index.json")

/** A notification of the code host. */
export interface Example {
  readonly event: string
  readonly action: string
  readonly body: { readonly [field: string]: unknown }
}

/** The notifications that the code host documents, collected by the authors of its client. */
export const examples = (host: (typeof HOSTS)[number]): ReadonlyArray<Example> =>
  Schema.decodeSync(Webhooks)(readFileSync(fileOf(host), "utf8")).flatMap((webhook) =>
    webhook.examples.map((body) => ({
      event: webhook.name,
      action: typeof body["action"] === "string" ? body["action"] : "",
      body
    }))
  )
