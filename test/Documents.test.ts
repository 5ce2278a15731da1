// A reader follows the links and pastes the commands of the pages. Their targets must exist.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { OVERVIEW } from "../apps/server/src/command-line/Overview.ts"
import { anchors, code, links, type Page, pages, REPOSITORY } from "./Documents.ts"

/** Links to a missing file or heading. */
const broken = (page: Page): ReadonlyArray<string> =>
  links(page).filter((link) => {
    const [path = "", anchor] = link.split("#")
    const file = path === "" ? page.file : join(dirname(page.file), path)
    if (!existsSync(join(REPOSITORY, file))) return true
    return anchor !== undefined && !anchors(readFileSync(join(REPOSITORY, file), "utf8")).has(anchor)
  })

/** The matches of a pattern in the code of a page: the first group of each. */
const named = (page: Page, pattern: RegExp): ReadonlyArray<string> =>
  code(page).flatMap((line) => [...line.matchAll(pattern)].map(([, name = ""]) => name))

const scriptsOf = (directory: string): string =>
  /"scripts": \{[^}]*\}/.exec(readFileSync(join(REPOSITORY, directory, "package.json"), "utf8"))?.[0] ?? ""

/** The first words of the program's commands, such as `token issue bot`. */
const commands = [...OVERVIEW.matchAll(/^ {2}([a-z].*?)(?: {2,}|$)/gm)].flatMap(([, usage = ""]) => {
  const words = usage.split(" ").filter((_, index, all) =>
    all.slice(0, index + 1).every((one) => /^[a-z|-]+$/.test(one) && !one.startsWith("-"))
  )
  const [last = "", ...before] = words.toReversed()
  return last.split("|").map((name) => [...before.toReversed(), name].join(" "))
})

const isCommand = (words: string): boolean => commands.some((command) => `${words} `.startsWith(`${command} `))

/** The modules of the repository, such as `packages/domain/account/User`. */
const modules = ["apps", "attack", "bench", "cluster", "conformance", "packages", "test"].flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => `${folder}/${file.replace("/src/", "/").replace(/(?:\.test)?\.ts$/, "")}`)
)

const isModule = (name: string): boolean => modules.some((module) => `/${module}`.endsWith(`/${name}`))

const compiledFrom = (path: string): string => path.replace("/dist/", "/src/").replace(/\.js$/, ".ts")

describe.each(pages())("$file", (page) => {
  it("links to files and headings that exist", () => {
    expect(broken(page)).toEqual([])
  })

  it("names npm scripts that exist", () => {
    const called = named(page, /\bnpm (?:run )?(?!run\b)((?:(?<=run )[a-z:-]+|start|test)\b(?: -w [\w/-]+)?)/g)
    const exists = (call: string) => {
      const [name, workspace] = call.split(" -w ")
      return scriptsOf(workspace ?? page.directory).includes(`"${name}":`)
    }
    expect(called.filter((call) => !exists(call))).toEqual([])
  })

  it("names programs of the repository that exist", () => {
    const paths = named(page, /\bnode ((?:[\w.-]+\/)+[\w.-]+\.m?js)\b/g)
    const exists = (path: string) => existsSync(join(REPOSITORY, page.directory, path))
    expect(paths.filter((path) => !exists(path) && !exists(compiledFrom(path)))).toEqual([])
  })

  it("names tools that are installed", () => {
    const tools = named(page, /\bnpx (?:--[\w-]+(?:=\S+)? )*([\w-]+)/g).filter((name) => name !== "community-messaging")
    const folders = ["node_modules/.bin", "conformance/node_modules/.bin"]
    const isInstalled = (name: string) => folders.some((folder) => existsSync(join(REPOSITORY, folder, name)))
    expect(tools.filter((name) => !isInstalled(name))).toEqual([])
  })

  it("names modules that exist", () => {
    const names = named(page, /^((?!effect\/)(?:[\w-]+\/)+[A-Z0-9]\w+)$/g)
    expect(names.filter((name) => !isModule(name) && !existsSync(join(REPOSITORY, name)))).toEqual([])
  })

  it("names commands of the program that exist", () => {
    const program = /(?<![\w/@.-])(?:community-messaging|apps\/server\/dist\/main\.js) ([a-z][a-z -]*)/g
    expect(named(page, program).map((words) => words.trim()).filter((words) => !isCommand(words))).toEqual([])
  })
})

it("the overview of the program is read", () => {
  expect(commands).toContain("token issue bot")
  expect(commands.every((command) => command !== "")).toBe(true)
})

it("the list of decisions has every decision with its title", () => {
  const decisions = pages().filter(({ file }) => /^docs\/decisions\/\d/.test(file)).map(({ file }) => {
    const [title = ""] = readFileSync(join(REPOSITORY, file), "utf8").slice("# ".length).split("\n", 1)
    return `- [${title}](${file.slice("docs/decisions/".length)})`
  })
  const listed = readFileSync(join(REPOSITORY, "docs/decisions/README.md"), "utf8").split("\n").filter((line) =>
    line.startsWith("- ")
  )
  expect(listed).toEqual(decisions)
})
