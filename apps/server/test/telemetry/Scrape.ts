import { Effect, Option } from "effect"
import { MetricsUrl } from "../../src/telemetry/Telemetry.ts"

/** The result of a scrape. */
export interface Scrape {
  readonly text: string
  /** By the name as in the text format of Prometheus, such as `…_bucket`. */
  readonly samples: ReadonlyArray<Sample>
  /** The type of each metric, by its name. */
  readonly types: ReadonlyMap<string, string>
  /** The description of each metric, by its name. */
  readonly descriptions: ReadonlyMap<string, string>
}

/** A value with its labels. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const comments = (text: string, kind: "HELP" | "TYPE"): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      text.matchAll(new RegExp(String.raw`^# ${kind} (\S+) (.*)$`, "gm")),
      ([, name = "", rest = ""]) => [name, rest]
    )
  )

const parse = (text: string): Scrape => ({
  text,
  types: comments(text, "TYPE"),
  descriptions: comments(text, "HELP"),
  samples: Array.from(
    text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm),
    ([, name = "", labels = "", value]) => ({
      name,
      labels: Object.fromEntries(
        Array.from(
          labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g),
          ([, label = "", of = ""]): readonly [string, string] => [label, of]
        )
      ),
      value: Number(value)
    })
  )
})

/** Scrapes the metrics of the server. */
export const scrape = Effect.gen(function*() {
  const url = Option.getOrThrow(yield* MetricsUrl)
  return parse(yield* Effect.promise(() => fetch(url).then((response) => response.text())))
})

/** The value of the sample that includes these labels; 0 if there is none. */
export const valueOf = (
  { samples }: Scrape,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number =>
  samples.find((sample) =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  )?.value ?? 0
