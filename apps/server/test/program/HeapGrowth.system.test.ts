import { spawnSync } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { build, MAIN } from "./Program.ts"

/** Runs in a new process, after the program. Makes garbage that survives two collections of the young generation. */
const measure = `
  import { getHeapSpaceStatistics } from "node:v8"
  process.argv.push("--version")
  await import(${JSON.stringify(MAIN)})
  const oldSpace = () => getHeapSpaceStatistics().find((space) => space.space_name === "old_space").space_used_size
  const kept = Array.from({ length: 400_000 }, (_, index) => ({ index, values: [index, index + 1] }))
  gc()
  const before = oldSpace()
  const window = []
  let peak = before
  for (let index = 0; index < 2_000_000; index += 1) {
    window[index % 200_000] = { index, values: [index] }
    if (index % 20_000 === 0) peak = Math.max(peak, oldSpace())
  }
  console.log("growth", peak / before, "with", kept.length)
`

describe("The heap of the program", () => {
  beforeAll(build)

  it("grows by little more than half with garbage, with any memory of the machine", () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", measure], {
      encoding: "utf8"
    })
    // By default, V8 lets it grow to five times its size.
    expect(Number(/^growth (\S+)/m.exec(stdout)?.[1])).toBeLessThan(3)
  })
})
