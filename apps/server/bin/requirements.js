// What the program needs to run, for the scripts of the repository and for what npm links. It runs on old versions of Node,
// so that they can say what is wrong.

import { readFileSync } from "node:fs"

/** The versions of Node in `engines`, such as `^20.19.0 || >=24.0.0`, as numbers. */
const alternatives = () => {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return engines.node.split("||").map((range) => {
    const [, operator, major, minor] = /(\^|>=)(\d+)\.(\d+)/.exec(range)
    return { orNewer: operator === ">=", major: Number(major), minor: Number(minor) }
  })
}

const isSupported = (version) => {
  const [major, minor] = version.replace("v", "").split(".").map(Number)
  return alternatives().some((known) =>
    (known.major === major && minor >= known.minor) || (known.orNewer && major > known.major)
  )
}

/** The supported versions of Node in words: `Node 20.19+ or 24+`. */
export const supportedVersions = () => {
  const names = alternatives().map(({ major, minor }) => `${major}${minor === 0 ? "" : `.${minor}`}+`)
  return `Node ${[names.slice(0, -1).join(", "), names[names.length - 1]].join(" or ")}`
}

/** Why the program cannot run in this process; undefined if it can. */
export const refusal = ({ platform, version }) => {
  if (platform === "win32") {
    return "Windows is not supported, because files could not be kept for their owner alone. Use WSL 2 or a container."
  }
  return isSupported(version) ? undefined : `${supportedVersions()} is required. This is ${version}.`
}
