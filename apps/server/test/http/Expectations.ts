import { expect } from "vitest"
import type { HttpResponse } from "./HttpClient.ts"
import { at } from "./JsonPath.ts"

/** Expects the error with that status and code. */
export const expectError = (response: HttpResponse, status: number, code: string): void =>
  expect({ status: response.status, code: at(response.json, "code") }).toEqual({ status, code })

/** The violations in the response, as `path: code`. */
export const violationsOf = (response: HttpResponse): ReadonlyArray<string> => {
  const errors = at(response.json, "errors")
  return Array.isArray(errors)
    ? errors.map((error: unknown) => `${String(at(error, "path"))}: ${String(at(error, "code"))}`)
    : []
}

/** Expects exactly these violations in the response, as `path: code`. */
export const expectViolations = (response: HttpResponse, ...violations: ReadonlyArray<string>): void => {
  expectError(response, 400, "INVALID_FORM_BODY")
  expect(violationsOf(response).toSorted()).toEqual([...violations].sort())
}
