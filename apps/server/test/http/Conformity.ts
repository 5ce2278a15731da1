import { expect } from "vitest"
import { at } from "./JsonPath.ts"
import { errorsOfClosed } from "./JsonSchemaCheck.ts"
import { entriesOf, published } from "./PublishedDocument.ts"

/** The parts of a response that the assertion reads. */
export interface Observed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
}

const templates = entriesOf(at(published, "paths"))
  .map(([template]) => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.@]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`)
  }))
  // If two match, the one with fewer parameters applies.
  .sort((self, that) => self.template.split("{").length - that.template.split("{").length)

const operationOf = (method: string, path: string): unknown => {
  const [pathname = ""] = path.split("?")
  const found = templates.find(({ pattern }) => pattern.test(pathname))
  return found === undefined ? undefined : at(published, "paths", found.template, method.toLowerCase())
}

/** Whether the document has an operation with this method and path. */
export const isOperation = (method: string, path: string): boolean => operationOf(method, path) !== undefined

/**
 * Asserts that the OpenAPI document describes the response of the operation: its status, its body, and the headers that are
 * always present. A response without an operation has a request id, and the body of an error.
 */
export const assertDocumented = (method: string, path: string, response: Observed): void => {
  expect(response.headers["x-request-id"], "every response carries X-Request-Id").toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  const operation = operationOf(method, path)
  if (operation === undefined) return
  const expected = at(operation, "responses", String(response.status))
  expect(expected, `${method} ${path.split("?")[0]} documents ${response.status}`).toBeDefined()
  const schema = at(expected, "content", "application/json", "schema")
  if (schema === undefined) {
    expect(response.json).toBeUndefined()
  } else {
    expect(errorsOfClosed(schema, response.json)).toEqual([])
  }
}
