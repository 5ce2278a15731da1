import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { shellWord } from "../../src/command-line/ShellWord.ts"

it.each(["", "plain/file-1.ndjson", "a b.ndjson", "it's", "$HOME `id` \"x\"", "a\nb", "*", "~", "a;b"])(
  "a shell reads the word %j as the text",
  (text) => {
    expect(execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).toBe(text)
  }
)

it("a plain word has no quotation marks", () => {
  expect(shellWord("/data/2026-11.ndjson")).toBe("/data/2026-11.ndjson")
})
