import { document } from "@community-messaging/http-adapter/OpenApiDocument"
import { Predicate, Record, Redacted } from "effect"
import type { DemoFacts } from "./DemoFacts.ts"
import { type Trial, trials } from "./DemoInstructions.ts"

/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>

const partOf = (value: unknown): Part => Predicate.isRecord(value) ? value : {}

/** The values of a path's parameters, if it fits the template: `/v1/guilds/{guild_id}/members-search`. */
const parametersOf = (template: string, path: string): Readonly<Record<string, string>> | undefined => {
  const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name)
  const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(path)?.slice(1)
  return values && Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))
}

const headersOf = ({ headers = [] }: Trial): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.map((header) => {
      const [name = "", value = ""] = header.split(": ")
      return [name.toLowerCase(), value]
    })
  )

const withExample = (part: Part, example: unknown): Part => {
  const { examples: _others, ...rest } = part
  return { ...rest, example }
}

const withTrial = (operation: Part, trial: Trial, values: Readonly<Record<string, string>>): Part => {
  const body = partOf(operation["requestBody"])
  const parameters = operation["parameters"]
  return {
    ...operation,
    ...(Array.isArray(parameters) && {
      parameters: parameters.map((given: unknown) => {
        const parameter = partOf(given)
        const value = values[String(parameter["name"])]
        return value === undefined ? parameter : withExample(parameter, value)
      })
    }),
    ...(trial.body !== undefined && {
      requestBody: {
        ...body,
        content: Record.map(partOf(body["content"]), (content) => withExample(partOf(content), trial.body))
      }
    })
  }
}

/** The operation with its credentials as a parameter, because the page can fill in only one kind of credentials. */
const withCredentials = ({ parameters, security, ...operation }: Part, facts: DemoFacts): Part => {
  const required = JSON.stringify(security ?? [])
  const value = required.includes("BotToken")
    ? `Bot ${Redacted.value(facts.bot_token)}`
    : required.includes("AdminKey")
    ? `Admin ${Redacted.value(facts.admin_key)}`
    : undefined
  const given: ReadonlyArray<unknown> = Array.isArray(parameters) ? parameters : []
  return {
    ...operation,
    parameters: value === undefined
      ? given
      : [{ name: "Authorization", in: "header", required: true, schema: { type: "string" }, example: value }, ...given]
  }
}

/** The operation, with the values of its trial as examples. */
const withTrials = (
  operation: Part,
  { method, template, trials: candidates }: {
    readonly method: string
    readonly template: string
    readonly trials: ReadonlyArray<Trial>
  }
): Part => {
  for (const trial of candidates) {
    const values = parametersOf(template, `/v1${trial.path}`)
    if (values !== undefined && trial.method.toLowerCase() === method) {
      return withTrial(operation, trial, { ...headersOf(trial), ...values })
    }
  }
  return operation
}

/** Returns the OpenAPI document with requests as examples that work in the demo. */
export const demoDocument = (serverUrl: string, facts: DemoFacts): object => {
  const { components, paths, ...rest } = document(serverUrl)
  const { securitySchemes: _filledIn, ...parts } = components
  const all = trials(facts)
  return {
    ...rest,
    components: parts,
    paths: Record.map(partOf(paths), (operations, template) =>
      Record.map(
        partOf(operations),
        (operation, method) => withTrials(withCredentials(partOf(operation), facts), { method, template, trials: all })
      ))
  }
}
