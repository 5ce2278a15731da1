import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { describe, expect, it } from "vitest"
import * as PostgresFailure from "../src/PostgresFailure.ts"

describe("a failure of PostgreSQL", () => {
  it("is the driver's message if there is no other code", () => {
    expect(PostgresFailure.of(new Error("timeout exceeded when trying to connect")).code).toBe(
      "timeout exceeded when trying to connect"
    )
  })

  it("has the code of the system if there is one", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" })
    expect(PostgresFailure.of(refused).code).toBe("ECONNREFUSED")
  })

  it.each([["idle_in_transaction_session_timeout", "25P03"], ["transaction_timeout", "25P04"]])(
    "by %s ends the connection",
    (_name, code) => {
      const cause = new PostgresFailure.PostgresFailure("terminating connection", { code })
      expect(PostgresFailure.isConnectionLost(new SqlFailure({ cause }))).toBe(true)
    }
  )

  it("quotes no value that cannot be parsed", () => {
    const { code, message } = PostgresFailure.of(new SyntaxError("Cannot convert ada@example.org to a BigInt"))
    expect({ code, message }).toEqual({ code: "", message: "SyntaxError" })
  })
})
