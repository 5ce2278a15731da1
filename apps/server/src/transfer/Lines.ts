import { Stream } from "effect"

/** A line of a file: its number, counted from 1, and its text, or the problem of an unreadable line. */
export interface Line {
  readonly number: number
  readonly bytes: number
  readonly text: string
  readonly problem: string | undefined
}

/** The maximum length of a line in bytes: twice the largest avatar in base64. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

/**
 * The longest line that is read, in bytes. The export of a line may be longer than the line: it has all fields, also those
 * with no value or the default one.
 */
export const MAX_READ_BYTES = MAX_LINE_BYTES + 64 * 1024

const NEWLINE = 0x0a

/** The beginning of an incomplete line. Bytes beyond the limit are counted but not stored. */
interface Open {
  readonly number: number
  readonly bytes: number
  readonly parts: ReadonlyArray<Uint8Array>
}

const FIRST: Open = { number: 1, bytes: 0, parts: [] }

const extend = (open: Open, part: Uint8Array): Open => {
  const bytes = open.bytes + part.length
  return { ...open, bytes, parts: bytes > MAX_READ_BYTES ? [] : [...open.parts, part] }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const close = ({ bytes, number, parts }: Open): Line => {
  const line = { number, bytes, text: "" }
  if (bytes > MAX_READ_BYTES) return { ...line, problem: `is longer than ${MAX_LINE_BYTES} bytes` }
  try {
    return { ...line, text: decoder.decode(Buffer.concat(parts)), problem: undefined }
  } catch {
    return { ...line, problem: "is not UTF-8" }
  }
}

/** Splits a file in UTF-8 into lines. Only one line at a time is in memory. */
export const fromBytes = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Line, E, R> =>
  Stream.concat(bytes, Stream.make(Uint8Array.of(NEWLINE))).pipe(
    Stream.mapAccum(FIRST, (open, chunk): readonly [Open, ReadonlyArray<Line>] => {
      const lines: Array<Line> = []
      let current = open
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        lines.push(close(extend(current, chunk.subarray(start, end))))
        current = { number: current.number + 1, bytes: 0, parts: [] }
        start = end + 1
      }
      return [start < chunk.length ? extend(current, chunk.subarray(start)) : current, lines]
    }),
    Stream.mapConcat((lines) => lines)
  )
