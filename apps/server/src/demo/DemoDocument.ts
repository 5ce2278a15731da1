import { document } from "@community-messaging/http-adapter/OpenApiDocument"
import { Predicate, Record, Redacted } from "effect"
import type { DemoFacts } from "./DemoFacts.ts"
import { type Trial, trials } from "./DemoInstructions.ts"

/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>

const partOf = (value: unknown): Part => Predicate.isRecord(value) ? value : {}

const withExample = (part: Part, example: unknown): Part => {
  const { examples: _others, ...rest } = part
  return { ...rest, example }
}

/** The operation, with the values of its trial as examples. */
const withTrial = (operation: Part, trial: Trial): Part => {
  const headers = Record.mapKeys(trial.headers ?? {}, (name) => name.toLowerCase())
  const values: Readonly<Record<string, string>> = { ...headers, ...trial.pathParameters }
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
        (value, method) => {
          const operation = withCredentials(partOf(value), facts)
          const trial = all.find((each) => `/v1${each.path}` === template && each.method.toLowerCase() === method)
          return trial === undefined ? operation : withTrial(operation, trial)
        }
      ))
  }
}
