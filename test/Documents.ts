import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The folder of the repository. */
export const REPOSITORY = dirname(import.meta.dirname)

/** A page, and the folder in which its commands run. */
export interface Page {
  /** Relative to the repository. */
  readonly file: string
  readonly directory: string
  readonly text: string
}

const page = (file: string, directory: string): Page => ({
  file,
  directory,
  text: readFileSync(join(REPOSITORY, file), "utf8")
})

const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".md") && !file.startsWith("docs/api/"))

const readmes = (parent: string): ReadonlyArray<Page> =>
  readdirSync(join(REPOSITORY, parent)).map((name) => page(`${parent}/${name}/README.md`, `${parent}/${name}`))

/** All pages for people. */
export const pages = (): ReadonlyArray<Page> => [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", ...pagesIn("docs")].map((file) => page(file, ".")),
  ...readmes("examples")
]

/** The code of a page: its blocks for a shell, and the text between backticks. */
export const code = ({ text }: Page): ReadonlyArray<string> => {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash)\n(.*?)^ *```/gms)].flatMap(([, block = ""]) => block.split("\n"))
  const inline = [...text.replaceAll(/^ *```.*?^ *```/gms, "").matchAll(/`([^`]+)`/g)].map(([, words = ""]) => words)
  return [...blocks, ...inline].map((line) => line.replaceAll(/\s+/g, " ").trim())
}

/** The anchors of the headings of a page. */
export const anchors = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^ *```.*?^ *```/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
        .replaceAll(" ", "-")
    )
  )

/** The relative links of a page. */
export const links = ({ text }: Page): ReadonlyArray<string> =>
  [...text.replaceAll(/^ *```.*?^ *```/gms, "").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
