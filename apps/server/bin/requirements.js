// The requirements of the program, for the scripts of the repository and for the file that npm links. It runs on old
// versions of Node, so that it can report them.

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
const supportedVersions = () => {
  const names = alternatives().map(({ major, minor }) => `${major}${minor === 0 ? "" : `.${minor}`}+`)
  return `Node ${[names.slice(0, -1).join(", "), names[names.length - 1]].join(" or ")}`
}

/** Why the program cannot run in this process; undefined if it can. */
export const refusal = ({ platform, version }) => {
  if (platform === "win32") {
    return "Windows is not supported, because files could not be protected from other users. Use WSL 2 or a container."
  }
  return isSupported(version) ? undefined : `${supportedVersions()} is required. This is ${version}.`
}

const isMadeWithNewHeaders = () => {
  try {
    const driver = new URL("../build/Release/better_sqlite3.node", import.meta.resolve("better-sqlite3"))
    return readFileSync(driver).includes("RemoveEnvironmentCleanupHook")
  } catch {
    return false
  }
}

/**
 * The problem of the SQLite driver; undefined if none is known. From 24.19, the headers of Node 24 have a mistake
 * (nodejs/node#65446): a driver that was compiled with them ends the process during garbage collection. The prebuilt driver,
 * which npm prefers, was compiled with older ones.
 */
export const driverWarning = ({ version }) =>
  version.startsWith("v24.") && isMadeWithNewHeaders()
    ? "Warning: the SQLite driver was compiled with headers of Node 24 that make it end the process now and then " +
      "(nodejs/node#65446). Use Node 22, or the prebuilt driver."
    : undefined
