import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { ParseResult, Schema } from "effect"
import { describe, expect, it } from "vitest"

const SECRET = "ada@example.org"

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })

/** The log of a storage failure with this cause. */
const logged = (cause?: unknown) => LoggedCause.describeError(new StorageError({ operation: "find an account", cause }))

describe("a failure of storage in the log", () => {
  it("is one line with the operation and the reason", () => {
    expect(logged(withCode("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432"))).toBe(
      "StorageError in find an account, caused by Error (ECONNREFUSED)"
    )
    expect(logged()).toBe("StorageError in find an account")
  })

  it("contains no stored or sent data", () => {
    expect(logged(new Error(SECRET))).toBe("StorageError in find an account, caused by Error")
    expect(logged(withCode("SQLITE_CONSTRAINT_TRIGGER", SECRET))).not.toContain(SECRET)
    const parsing = ParseResult.parseError(
      new ParseResult.Type(Schema.Number.ast, SECRET)
    )
    expect(logged(parsing)).toBe("StorageError in find an account, caused by ParseError")
  })
})
