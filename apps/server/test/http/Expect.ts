import { expect } from "vitest"
import { at } from "./At.ts"
import type { Answer } from "./Exchange.ts"

/** The answer is the error of that status and code. */
export const expectError = (answer: Answer, status: number, code: string): void =>
  expect({ status: answer.status, code: at(answer.json, "code") }).toEqual({ status, code })

/** The violations that the answer tells, as `path: code`. */
export const violationsOf = (answer: Answer): ReadonlyArray<string> => {
  const errors = at(answer.json, "errors")
  return Array.isArray(errors)
    ? errors.map((error: unknown) => `${String(at(error, "path"))}: ${String(at(error, "code"))}`)
    : []
}

/** The answer tells exactly these violations, as `path: code`. */
export const expectViolations = (answer: Answer, ...violations: ReadonlyArray<string>): void => {
  expectError(answer, 400, "INVALID_FORM_BODY")
  expect(violationsOf(answer).toSorted()).toEqual([...violations].sort())
}
