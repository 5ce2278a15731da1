import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { published } from "./Repository.ts"

/**
 * Sets the versions that the examples in this copy of the repository require to those of its packages. Examples are not
 * workspaces, because they install published packages, so changesets does not change them.
 */
export const update = (root: string) => {
  const versions = new Map(published(root).map(({ manifest }) => [manifest.name, manifest.version]))
  for (const example of readdirSync(join(root, "examples"))) {
    const file = join(root, "examples", example, "package.json")
    const text = readFileSync(file, "utf8")
    const updated = text.replace(/"(@community-messaging\/[^"]+)": "[^"]+"/g, (line, name: string) => {
      const version = versions.get(name)
      return version === undefined ? line : `"${name}": "^${version}"`
    })
    if (updated !== text) writeFileSync(file, updated)
  }
}
