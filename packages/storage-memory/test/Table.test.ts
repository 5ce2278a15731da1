import * as Table from "@community-messaging/storage-memory/Table"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option, Order } from "effect"

const anySteps = FastCheck.array(
  FastCheck.record({ key: FastCheck.integer({ min: 0, max: 30 }), isSet: FastCheck.boolean() }),
  { maxLength: 200 }
)

const anyId = FastCheck.constantFrom("0", "1", "10", "9", "9223372036854775807")

describe("Table", () => {
  it.prop("a table contains the rows that were set and not removed, in order", { steps: anySteps }, ({ steps }) => {
    const expected = new Map<number, number>()
    let table = Table.empty<number, number>(Order.number)
    for (const [step, { isSet, key }] of steps.entries()) {
      table = isSet ? Table.set(table, key, step) : Table.remove(table, key)
      if (isSet) expected.set(key, step)
      else expected.delete(key)
    }
    expect(Array.from(table)).toEqual(Array.from(expected).sort(([self], [that]) => self - that))
  })

  it.prop("a table does not change when others are made from it", { steps: anySteps }, ({ steps }) => {
    let table = Table.empty<number, number>(Order.number)
    const versions = steps.map(({ isSet, key }, step) => {
      table = isSet ? Table.set(table, key, step) : Table.remove(table, key)
      return { version: table, rows: Table.rows(table) }
    })
    expect(versions.map(({ version }) => Table.rows(version))).toEqual(versions.map(({ rows }) => rows))
  })

  it.prop(
    "pages begin after a key and before one, whether it exists or not",
    { keys: FastCheck.array(FastCheck.integer({ min: 0, max: 30 })), bound: FastCheck.integer({ min: -1, max: 31 }) },
    ({ bound, keys }) => {
      const table = keys.reduce((rows, key) => Table.set(rows, key, key), Table.empty<number, number>(Order.number))
      const sorted = Array.from(new Set(keys)).sort((self, that) => self - that)
      expect([Table.after(table, Option.some(bound), 5), Table.before(table, Option.some(bound), 5)]).toEqual([
        sorted.filter((key) => key > bound).slice(0, 5),
        sorted.filter((key) => key < bound).reverse().slice(0, 5)
      ])
    }
  )

  it.prop(
    "rows with two ids are in the order of the ids as numbers, and are read and removed by the first one",
    { keys: FastCheck.array(FastCheck.tuple(anyId, anyId)), first: anyId },
    ({ first, keys }) => {
      const table = keys.reduce(
        (rows, key) => Table.set(rows, Table.keyOf(...key), key),
        Table.empty<string, readonly [string, string]>(Order.string)
      )
      const order = Order.tuple(Order.bigint, Order.bigint)
      const sorted = Array.from(new Set(keys.map((key) => key.join(" "))), (key) => key.split(" "))
        .sort(([a = "", b = ""], [c = "", d = ""]) => order([BigInt(a), BigInt(b)], [BigInt(c), BigInt(d)]))
      expect(Table.rows(table)).toEqual(sorted)
      const prefix = Table.keyOf(first)
      expect(Table.withPrefix(table, prefix)).toEqual(sorted.filter(([id]) => id === first))
      expect(Table.rows(Table.removePrefix(table, prefix))).toEqual(sorted.filter(([id]) => id !== first))
    }
  )
})
