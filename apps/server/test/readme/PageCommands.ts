import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
const REPOSITORY = fileURLToPath(new URL("../../../..", import.meta.url))

/** A page for people. */
export interface Page {
  /** Relative to the repository. */
  readonly file: string
  readonly text: string
}

/** A block of code between fences. */
export interface Block {
  readonly language: string
  readonly code: string
}

/** All pages except decisions, which describe the past, and the generated reference of commands, which has its own test. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(`${REPOSITORY}docs`).filter((name) => name.endsWith(".md") && name !== "commands.md").map((name) =>
    `docs/${name}`
  )
].map((file) => ({ file, text: readFileSync(`${REPOSITORY}${file}`, "utf8") }))

const FENCED = /^ *```(\w*)\n(.*?)^ *```$/gms

/** The blocks of code of a page. */
export const blocks = ({ text }: Page): ReadonlyArray<Block> =>
  Array.from(text.matchAll(FENCED), ([, language = "", code = ""]) => ({ language, code }))

const isOpen = (command: string): boolean => command.endsWith("\\") || command.split("'").length % 2 === 0

/** The commands of a block. A command continues if its line ends with a backslash or within quotes. */
const commandsOf = (code: string): ReadonlyArray<string> => {
  const commands: Array<string> = []
  for (const line of code.split("\n")) {
    const last = commands.at(-1)
    const command = line.replace(/(?:^|\s+)# .*$/, "").trim()
    if (last !== undefined && isOpen(last)) commands[commands.length - 1] = `${last}\n${line}`
    else if (command !== "") commands.push(command)
  }
  return commands
}

/** Programs, and the first words of this program's commands. Between backticks, other words are not commands. */
const FIRST_WORDS =
  "community-messaging token webhook user guild message events audit serve import export backup restore npm npx node curl docker systemctl useradd apt-get git ssh sqlite3 sudo"
    .replaceAll(" ", "|")

const INLINE = new RegExp(`\`((?:[A-Z_]+=\\S+ )*(?:${FIRST_WORDS}) [^\`]+)\``, "g")

/** All commands of a page: those in blocks for a shell, and those of several words between backticks. */
export const commands = (page: Page): ReadonlyArray<string> => [
  ...blocks(page).filter(({ language }) => language === "sh").flatMap(({ code }) => commandsOf(code)),
  ...Array.from(
    page.text.replaceAll(FENCED, "").matchAll(INLINE),
    ([, command = ""]) => command.replaceAll(/\s+/g, " ")
  )
]
