import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const Lockfile = Schema.parseJson(Schema.Struct({
  packages: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      integrity: Schema.optional(Schema.String),
      link: Schema.optional(Schema.Boolean),
      dev: Schema.optional(Schema.Boolean)
    })
  })
}))

describe("The lockfile", () => {
  it("has a digest of each package that the program needs, on every platform", () => {
    const { packages } = Schema.decodeSync(Lockfile)(readFileSync("package-lock.json", "utf8"))
    const needed = Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
    expect(needed.length).toBeGreaterThan(100)
    expect(needed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })
})
