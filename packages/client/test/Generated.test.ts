import { describe, expect, it } from "vitest"
import { generate } from "../scripts/Generation.ts"

describe("The generated files", () => {
  it.each(Object.entries(generate()))(
    "%s matches the definition: `npm run generate` writes it",
    async (name, text) => {
      await expect(text).toMatchFileSnapshot(`../src/${name}`)
    }
  )
})
