import { document } from "@community-messaging/http-adapter/OpenApiDocument"
import { at } from "./JsonPath.ts"

/** The document as a client reads it. */
export const published: unknown = JSON.parse(JSON.stringify(document("https://chat.example")))

/** Resolves a reference of the document. */
export const resolve = (reference: string): unknown => at(published, ...reference.replace(/^#\//, "").split("/"))

/** The members of an object, or the items of a list. */
export const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

/** Every operation with its method and path. */
export const operations = entriesOf(at(published, "paths")).flatMap(([path, methods]) =>
  entriesOf(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)
