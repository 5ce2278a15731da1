const REPLACEMENT = "\ufffd"

const endsWithHighSurrogate = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Returns the text that is written in JSON with escapes. */
const unescaped = (written: string): string => {
  const text: unknown = JSON.parse(`"${written}"`)
  return typeof text === "string" ? text : ""
}

/** Cuts a text to at most `length` code units, without cutting a character. */
const cutTo = (text: string, length: number): string => {
  const cut = text.slice(0, length)
  return endsWithHighSurrogate(cut) ? cut.slice(0, -1) : cut
}

/**
 * A string, collected from pieces of its JSON up to a maximum length in UTF-16 code units. Lone surrogates become U+FFFD,
 * because they cannot be encoded in UTF-8.
 */
export class KeptText {
  #text = ""
  /** The last code unit of the pieces if it is a high surrogate: its partner may be in the next piece. */
  #high = ""
  /** The number of code units that are still kept. */
  #room: number

  constructor(limit: number) {
    this.#room = limit
  }

  /** Adds a piece of valid JSON. Returns the number of bytes that are kept. */
  add(bytes: Buffer, start: number, end: number, hasEscapes: boolean): number {
    if (this.#room === 0 || start === end) return 0
    const written = bytes.toString("utf8", start, end)
    const text = this.#high + (hasEscapes ? unescaped(written) : written)
    this.#high = endsWithHighSurrogate(text) ? text.slice(-1) : ""
    this.#append((this.#high === "" ? text : text.slice(0, -1)).toWellFormed())
    return end - start
  }

  /** Returns the whole string. */
  end(): string {
    if (this.#high !== "") this.#append(REPLACEMENT)
    this.#high = ""
    return this.#text
  }

  #append(text: string): void {
    const isCut = text.length > this.#room
    this.#text += isCut ? cutTo(text, this.#room) : text
    // Nothing follows a cut, not even where half a character would have room.
    this.#room = isCut ? 0 : this.#room - text.length
  }
}
