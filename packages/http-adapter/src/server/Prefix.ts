import { Effect } from "effect"
import type { Match } from "./Routes.ts"

/*
 * The path under which the API is mounted in a server that serves other paths, too: the empty text, or segments such as
 * `/chat`.
 */

const PREFIX = /^(?:\/[\w.~-]+)*$/

/** The rule for prefixes, in words. */
export const PREFIX_IN_WORDS = "a path of letters, digits, and . _ ~ -, such as /chat"

const normalised = (text: string): string => {
  const trimmed = text.replace(/^\/|\/$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** Returns whether the text is a path, with or without slashes at its ends. */
export const isPrefix = (text: string): boolean => PREFIX.test(normalised(text))

/** Accepts a path with or without slashes at its ends. Any other text is a mistake in the server's code. */
export const parse = (text: string): Effect.Effect<string> =>
  isPrefix(text)
    ? Effect.succeed(normalised(text))
    : Effect.dieMessage(`prefix must be ${PREFIX_IN_WORDS}, but is ${text}`)

/** Whether the path begins with the prefix. */
export const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

type Find = (method: string, path: string) => Match

/** Routes the part of the path below the prefix. */
export const below = (prefix: string, find: Find): Find =>
  prefix === ""
    ? find
    : (method, path) => isBelow(prefix, path) ? find(method, path.slice(prefix.length)) : { _tag: "Unknown" }
