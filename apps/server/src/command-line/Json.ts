import { Console, type Effect } from "effect"

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * Prints a value as one line of JSON. Control characters that JSON allows are escaped, because a terminal executes them, and
 * so are characters that reorder text.
 */
export const print = (value: unknown): Effect.Effect<void> =>
  Console.log(JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu, escape))
