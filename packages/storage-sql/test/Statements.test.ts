import { Fragment, fragment } from "@community-messaging/storage-sql/Statements"
import { describe, expect, it } from "@effect/vitest"

const selection = (columns: Fragment, id: string) => fragment`SELECT ${columns} FROM users WHERE id = ${id}`

const some = fragment`id, username`
const none = fragment`1`

describe("A template of SQL", () => {
  it("has its values as parameters, in their order, with the values of its pieces", () => {
    const known = fragment`webhook_id = ${"1"} AND delivery_id = ${"2"}`
    const statement = fragment`UPDATE webhook_deliveries SET received_at = ${3} WHERE ${known} AND received_at < ${4}`
    expect(statement.text).toBe(
      "UPDATE webhook_deliveries SET received_at = ? WHERE webhook_id = ? AND delivery_id = ? AND received_at < ?"
    )
    expect(statement.parameters).toEqual([3, "1", "2", 4])
  })

  it("has the same text for all parameters", () => {
    expect(selection(some, "1").text).toBe("SELECT id, username FROM users WHERE id = ?")
    expect(selection(some, "2").text).toBe(selection(some, "1").text)
    expect(selection(some, "2").parameters).toEqual(["2"])
  })

  it("has another text with other pieces, independent of earlier ones", () => {
    for (const columns of [some, none, some, none]) {
      expect(selection(columns, "1").text).toBe(`SELECT ${columns.text} FROM users WHERE id = ?`)
    }
  })

  it("distinguishes a piece from a parameter in the same place", () => {
    const where = (value: Fragment | string) => fragment`WHERE email_key = ${value}`
    expect(where("a").text).toBe("WHERE email_key = ?")
    expect(where(new Fragment("excluded.email_key")).text).toBe("WHERE email_key = excluded.email_key")
    expect(where("b")).toEqual(new Fragment("WHERE email_key = ?", ["b"]))
  })
})
