import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck, Stream } from "effect"
import * as Lines from "../../src/transfer/Lines.ts"

const read = (chunks: ReadonlyArray<Uint8Array>) =>
  Effect.map(Stream.runCollect(Lines.fromBytes(Stream.fromIterable(chunks))), Chunk.toReadonlyArray)

describe("Lines", () => {
  it.effect.prop(
    "are the same with every division of the bytes",
    {
      text: FastCheck.string({ unit: FastCheck.constantFrom("a", "é", "👋", "\n") }),
      size: FastCheck.integer({ min: 1, max: 5 })
    },
    ({ size, text }) =>
      Effect.gen(function*() {
        const bytes = new TextEncoder().encode(text)
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size))
        expect((yield* read(chunks)).map((line) =>
          line.text
        )).toEqual(text.split("\n"))
      })
  )

  it.effect("may be longer in an export than they were when they were imported", () =>
    Effect.gen(function*() {
      const [line] = yield* read([new Uint8Array(Lines.MAX_LINE_BYTES + 1000).fill(0x61)])
      expect(line?.problem).toBe(undefined)
    }))

  it.effect("that are too long are reported, but not kept in memory", () =>
    Effect.gen(function*() {
      const piece = new Uint8Array(Lines.MAX_READ_BYTES / 4).fill(0x61)
      const lines = yield* read([piece, piece, piece, piece, new TextEncoder().encode("a\nb")])
      expect(lines.map(({ problem, text }) => [problem, text])).toEqual([
        [`is longer than ${Lines.MAX_LINE_BYTES} bytes`, ""],
        [undefined, "b"]
      ])
    }))
})
