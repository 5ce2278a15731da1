import { describe, expect, it } from "@effect/vitest"
import {
  canFollow,
  mayChange,
  ScheduledMessageStatus,
  UNDELIVERED
} from "../../src/scheduled-message/ScheduledMessageStatus.ts"

/** The table of states, written by hand: a row per status before, a column per status after. */
const TABLE = `
              pending  invalid  scheduled  sent  failed  cancelled
  pending     no       yes      yes        no    no      yes
  invalid     yes      no       no         no    no      yes
  scheduled   no       yes      no         yes   yes     yes
  sent        no       no       no         no    no      no
  failed      yes      no       no         no    no      yes
  cancelled   no       no       no         no    no      no
`

const [columns = [], ...rows] = TABLE.trim().split("\n").map((line) => line.trim().split(/\s+/))

const cells = rows.flatMap(([from = "", ...allowed]) =>
  columns.map((to, index) => ({ from, to, allowed: allowed[index] === "yes" }))
)

const status = (name: string): ScheduledMessageStatus =>
  ScheduledMessageStatus.literals.find((literal) => literal === name) ?? "pending"

describe("the status of a scheduled message", () => {
  it("has a cell in the table for each of the 36 pairs", () => {
    expect(new Set(cells.map(({ from, to }) => `${status(from)} ${status(to)}`)).size).toBe(36)
  })

  it.each(cells)("goes from $from to $to only as in the table", ({ allowed, from, to }) => {
    expect(canFollow(status(from), status(to))).toBe(allowed)
  })

  it("of a stored message changes as in the table, or stays the same while the message is undelivered", () => {
    const may = cells.filter(({ from, to }) => mayChange(status(from), status(to)))
    expect(may).toEqual(
      cells.filter(({ allowed, from, to }) => from === to ? UNDELIVERED.includes(status(from)) : allowed)
    )
  })

  it("is undelivered exactly if it can become cancelled", () => {
    expect(UNDELIVERED).toEqual(["pending", "scheduled", "invalid", "failed"])
    expect(ScheduledMessageStatus.literals.filter((from) => canFollow(from, "cancelled")).toSorted()).toEqual(
      UNDELIVERED.toSorted()
    )
  })
})
