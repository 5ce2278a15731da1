import { isBusy, isTaken, mayHaveRolledBack } from "@community-messaging/storage-sqlite/SqliteFailure"
import { describe, expect, it } from "@effect/vitest"
import SqliteDriver from "better-sqlite3"

/** Returns the error that the driver throws when the second statement runs. */
const thrownBy = (first: string, second: string): unknown => {
  const driver = new SqliteDriver(":memory:")
  try {
    driver.exec(first)
    driver.exec(second)
    return undefined
  } catch (cause) {
    return cause
  } finally {
    driver.close()
  }
}

/** A failure with a result code of SQLite. */
const failure = (code: string) => ({ cause: new SqliteDriver.SqliteError("refused", code) })

/** Failures that the driver did not cause. */
const OF_OTHERS = [{}, { cause: undefined }, { cause: "SQLITE_BUSY" }, { cause: { code: 5 } }, {
  cause: new Error("no")
}]

describe("a value that is taken", () => {
  const tables = "CREATE TABLE users (id INTEGER PRIMARY KEY, email_key TEXT UNIQUE, phone TEXT UNIQUE)"
  const insert = "INSERT INTO users VALUES (1, 'a', '1')"
  const taken = { cause: thrownBy(`${tables}; ${insert}`, "INSERT INTO users VALUES (2, 'a', '2')") }

  it("is a value that another row has in this column of this table", () => {
    expect(isTaken(taken, "users", "email_key")).toBe(true)
    expect(isTaken(taken, "users", "phone")).toBe(false)
    expect(isTaken(taken, "accounts", "email_key")).toBe(false)
  })

  it("is not the cause if the row violates another constraint", () => {
    const sameId = thrownBy(`${tables}; ${insert}`, "INSERT INTO users VALUES (1, 'b', '2')")
    expect(sameId).toMatchObject({
      code: "SQLITE_CONSTRAINT_PRIMARYKEY",
      message: "UNIQUE constraint failed: users.id"
    })
    expect(isTaken({ cause: sameId }, "users", "id")).toBe(false)
  })

  it("is not the cause if SQLite did not cause the failure", () => {
    const alike = Object.assign(new Error("UNIQUE constraint failed: users.email_key"), { code: "OTHER" })
    const noError = { code: "SQLITE_CONSTRAINT_UNIQUE", message: "UNIQUE constraint failed: users.email_key" }
    for (const other of [...OF_OTHERS, { cause: alike }, { cause: noError }]) {
      expect(isTaken(other, "users", "email_key")).toBe(false)
    }
  })
})

describe.each([
  [
    "the lock of another connection",
    isBusy,
    ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY"],
    ["SQLITE_CORRUPT", "NOT_SQLITE_BUSY"]
  ],
  [
    "a transaction that SQLite may have rolled back",
    mayHaveRolledBack,
    ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_NOMEM", "SQLITE_BUSY_SNAPSHOT", "SQLITE_INTERRUPT"],
    ["SQLITE_CONSTRAINT_UNIQUE", "NOT_SQLITE_FULL"]
  ]
])("%s", (_, isIt, codes, others) => {
  it("has certain codes, and no other failure has one", () => {
    expect(codes.filter((code) => !isIt(failure(code)))).toEqual([])
    expect([...OF_OTHERS, ...others.map(failure)].filter(isIt)).toEqual([])
  })
})
