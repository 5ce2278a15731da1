import { describe, expect, it } from "@effect/vitest"
import { durability } from "../../src/doctor/PostgresCheck.ts"

describe("the doctor's check of durability", () => {
  it.each<readonly [ReadonlyArray<string>, string, string]>([
    [[], "ok", "commits are on the disk before they are acknowledged"],
    [["synchronous_commit"], "warning", "synchronous_commit is off: a crash of PostgreSQL loses acknowledged writes"],
    [["fsync"], "warning", "fsync is off: a crash of the machine may damage the database"],
    [
      ["fsync", "synchronous_commit"],
      "warning",
      "fsync and synchronous_commit are off: a crash of the machine may damage the database"
    ]
  ])("if %j are off, is %s", (settingsOff, level, found) => {
    expect(durability(settingsOff)).toMatchObject({ level, found })
  })
})
