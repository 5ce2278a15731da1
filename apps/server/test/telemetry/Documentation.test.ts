import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { composed } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send, sendRaw } from "../http/HttpClient.ts"
import { scrape } from "./Scrape.ts"

const read = (path: string): string => readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), "utf8")

/** A scrape of a server that has answered a request of each kind. */
const scraped = Effect.gen(function*() {
  const { guild, token } = yield* Fixtures.botWithGuild
  yield* send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body: {} })
  yield* sendRaw("/v1/openapi.json")
  return yield* scrape
}).pipe(Effect.provide(composed({ METRICS_PORT: "0" })))

const Query = Schema.Struct({ expr: Schema.String })
const Dashboard = Schema.parseJson(Schema.Struct({
  title: Schema.String,
  panels: Schema.Array(Schema.Struct({
    title: Schema.String,
    type: Schema.String,
    targets: Schema.optionalWith(Schema.Array(Query), { default: () => [] })
  }))
}))

/** The names of metrics in a query of Prometheus: words that are not functions, labels or keywords. */
const metricsIn = (query: string): ReadonlyArray<string> =>
  query
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .match(/\b[a-z]\w*_\w+\b(?!\s*\()/g) ?? []

describe("docs/metrics.md", () => {
  it.scoped("has a row for each metric of a scrape, with its type, labels and description, and alerts that use no other", () =>
    Effect.gen(function*() {
      const { descriptions, samples, types } = yield* scraped
      // Tests of the cluster in the same process leave metrics of its library behind.
      const own = Array.from(types).filter(([name]) => !name.startsWith("effect_cluster_"))
      const rows = Array.from(own, ([name, type]) => {
        const labels = samples
          .filter((sample) => sample.name === name || (type === "histogram" && sample.name === `${name}_count`))
          .flatMap((sample) => Object.keys(sample.labels))
        const texts = name === "target_info" ? [] : Array.from(new Set(labels), (label) => `\`${label}\``)
        return `| \`${name}\` | ${type} | ${texts.join(", ")} | ${descriptions.get(name)} |`
      })
      const written = read("metrics.md").split("\n").filter((line) => line.startsWith("| `"))
      expect(written.toSorted()).toEqual(rows.toSorted())

      const names = new Set(samples.map(({ name }) => name))
      const queries = /```\n([^`]*)```/.exec(read("metrics.md"))?.[1]?.replaceAll(/^#.*$/gm, "") ?? ""
      const used = metricsIn(queries)
      expect(used).toHaveLength(7)
      expect(used.filter((name) => !names.has(name))).toEqual([])
    }))
})

describe("docs/grafana/community-messaging.json", () => {
  const { panels, title } = Schema.decodeUnknownSync(Dashboard)(read("grafana/community-messaging.json"))

  it("has a title, and panels with different titles", () => {
    expect(title).toBe("Community Messaging")
    expect(new Set(panels.map((panel) => panel.title)).size).toBe(panels.length)
    expect(panels.length).toBeGreaterThan(10)
  })

  it.scoped("uses only metrics of a scrape, and every one of the service and of its requests", () =>
    Effect.gen(function*() {
      const { samples, types } = yield* scraped
      const names = new Set(samples.map(({ name }) => name))
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
      const used = queries.flatMap(metricsIn)
      expect(used.length).toBeGreaterThan(panels.length / 2)
      expect(used.filter((name) => !names.has(name))).toEqual([])
      const shown = queries.join("\n")
      const own = Array.from(types.keys()).filter((name) => /^(community_messaging|http_server)_/.test(name))
      expect(own.filter((name) => !shown.includes(name))).toEqual([])
    }))
})
