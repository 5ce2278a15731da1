import { describe, expect, it } from "@effect/vitest"
import { arrange } from "../../src/command-line/Arguments.ts"

const NOTHING: ReadonlyMap<string, string> = new Map()

const level = (text: string): ReadonlyMap<string, string> => new Map([["LOG_LEVEL", text]])

/** The words that ask each of these for its page. */
const ask = (...words: ReadonlyArray<string>) => words.flatMap((word) => [word, "--help", "true"])

describe("the arguments", () => {
  it("stay as they are typed when they ask for nothing special", () => {
    const typed = ["import", "file.ndjson", "--strict", "--data-dir", "x"]
    expect(arrange(typed)).toEqual({ command: ["import", "file.ndjson"], words: typed, flags: NOTHING })
  })

  const helps: ReadonlyArray<readonly [typed: string, words: ReadonlyArray<string>]> = [
    ["--help", ["--help"]],
    ["-h", ["--help"]],
    ["-- --help", ["--help"]],
    ["--data-dir x token --help", ["--help"]],
    ["serve --help", ask("serve")],
    ["serve --demo -h", ask("serve")],
    ["serve --port 1 --version --help", ask("serve")],
    ["serve -- --help", ask("serve")],
    ["token --help issue bot --user 1", ask("token", "issue", "bot")],
    ["--log-level debug token issue --help", ask("token", "issue")],
    ["webhook create --name --help", ask("webhook", "create")]
  ]
  for (const [typed, words] of helps) {
    it(`ask for a page and nothing else: ${typed}`, () => {
      expect(arrange(typed.split(" "))).toMatchObject({ words, flags: NOTHING })
    })
  }

  const versions: ReadonlyArray<string> = ["--version", "serve --port 1 --version", "--log-level none serve --version"]
  for (const typed of versions) {
    it(`ask for the version and nothing else: ${typed}`, () => {
      expect(arrange(typed.split(" "))).toMatchObject({ words: ["--version"], flags: NOTHING })
    })
  }

  const levels: ReadonlyArray<readonly [typed: string, level: string]> = [
    ["--log-level debug serve --port 0", "debug"],
    ["serve --log-level debug --port 0", "debug"],
    ["serve --port 0 --log-level debug", "debug"],
    ["serve --port 0 --log-level=debug", "debug"],
    ["serve --log-level none --port 0 --log-level debug", "debug"],
    ["serve --port 0 --log-level=", ""]
  ]
  for (const [typed, given] of levels) {
    it(`set a log level wherever it stands: ${typed}`, () => {
      expect(arrange(typed.split(" "))).toEqual({
        command: ["serve"],
        words: ["serve", "--port", "0"],
        flags: level(given)
      })
    })
  }

  it("keep a flag for the log level that has no level", () => {
    expect(arrange(["serve", "--log-level"])).toMatchObject({ words: ["serve", "--log-level"], flags: NOTHING })
  })

  for (const value of ["--help", "-h", "--version", "--log-level=debug"]) {
    it(`keep a value that looks like an option: --name=${value}`, () => {
      const typed = ["webhook", "create", `--name=${value}`]
      expect(arrange(typed)).toMatchObject({ words: typed, flags: NOTHING })
    })
  }
})
