import { Cause, HashMap, Inspectable, List, Logger, type LogLevel } from "effect"

/** Annotations that come first, in this order: the most important for people. */
const FIRST = ["method", "route", "status", "duration_ms", "error_code", "error_path"]

const COLOURS: { readonly [tag in LogLevel.LogLevel["_tag"]]?: number } = {
  Fatal: 31,
  Error: 31,
  Warning: 33,
  Info: 32
}

/** Text in a colour of terminals (ECMA-48, 8.3.117). */
const coloured = (text: string, colour: number | undefined): string =>
  colour === undefined ? text : `\u001B[${colour}m${text}\u001B[0m`

const rankOf = (name: string): number => FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length

const textOf = (value: unknown): string => typeof value === "string" ? value : Inspectable.stringifyCircular(value)

/** The text on one line. */
const onOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ")

/** A value as text, in quotation marks if its end would be ambiguous. */
const quoted = (text: string): string => /[\s="]/.test(text) || text === "" ? JSON.stringify(text) : text

/**
 * The log for people at a terminal: one line for an entry. Values of several lines, such as the stack of an error, follow
 * indented.
 */
export const logger = (options: { readonly colours: boolean }): Logger.Logger<unknown, string> =>
  Logger.make(({ annotations, cause, date, logLevel, message, spans }) => {
    const entries = HashMap.toEntries(annotations)
      .map(([name, value]) => [name, textOf(value)] as const)
      .sort(([one], [other]) => rankOf(one) - rankOf(other) || one.localeCompare(other))
    const words = (Array.isArray(message) ? message : [message]).map((part) => onOneLine(textOf(part)))
    const line = [
      `[${date.toISOString().slice(11, 23)}]`,
      coloured(logLevel.label.padEnd(5), options.colours ? COLOURS[logLevel._tag] : undefined),
      ...words,
      ...entries.filter(([, text]) => !text.includes("\n")).map(([name, text]) => `${name}=${quoted(text)}`),
      ...List.toArray(spans).map(({ label, startTime }) => `${label}=${date.getTime() - startTime}ms`)
    ].join(" ")
    const blocks = [
      ...entries.filter(([, text]) => text.includes("\n")).map(([name, text]) => `${name}: ${text}`),
      ...(Cause.isEmpty(cause) ? [] : [Cause.pretty(cause, { renderErrorCause: true })])
    ]
    return [line, ...blocks.flatMap((block) => block.split("\n").map((part) => `  ${part}`))].join("\n")
  })
