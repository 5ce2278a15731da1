import { expect } from "vitest"
import type { Answer } from "./Exchange.ts"

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The answer is the error of that status and code. */
export const expectError = (answer: Answer, status: number, code: string): void =>
  expect({ status: answer.status, code: member(answer.json, "code") }).toEqual({ status, code })

/** The violations that the answer tells, as `path: code`. */
export const violationsOf = (answer: Answer): ReadonlyArray<string> => {
  const errors = member(answer.json, "errors")
  return Array.isArray(errors)
    ? errors.map((error: unknown) => `${String(member(error, "path"))}: ${String(member(error, "code"))}`)
    : []
}

/** The answer tells exactly these violations, as `path: code`. */
export const expectViolations = (answer: Answer, ...violations: ReadonlyArray<string>): void => {
  expectError(answer, 400, "INVALID_FORM_BODY")
  expect(violationsOf(answer).toSorted()).toEqual([...violations].sort())
}
