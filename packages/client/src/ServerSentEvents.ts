/** An event in the text of a stream. */
export interface ServerSentEvent {
  /** The last id that the stream had so far; undefined if none. */
  readonly id: string | undefined
  readonly data: string
}

const LINE_END = /\r\n|\r|\n/g

/** Splits a stream of server-sent events (WHATWG HTML, 9.2.6), piece by piece. Comments and names are left out. */
export class ServerSentEvents {
  readonly #maxLength: number
  readonly #tooLong: () => Error
  /** The pieces of a line that is incomplete. They are joined once, because a long line has many. */
  #line: Array<string> = []
  #lineLength = 0
  /** A carriage return at the end of the last piece: the next one may begin with its line feed. */
  #carriageReturn = ""
  #data: Array<string> = []
  #length = 0
  #id: string | undefined
  /** The id of an incomplete block, after which a stream must not resume. */
  #pendingId: string | undefined

  /** `maxLength` is the length of the longest event in UTF-16 code units. Throws `tooLong` for a longer one. */
  constructor(maxLength: number, tooLong: () => Error) {
    this.#maxLength = maxLength
    this.#tooLong = tooLong
  }

  /** The id of the last complete block that had one, also of a block without data. */
  get lastId(): string | undefined {
    return this.#id
  }

  /** Returns the events that this piece completes. */
  push(piece: string): ReadonlyArray<ServerSentEvent> {
    const text = this.#carriageReturn + piece
    const events: Array<ServerSentEvent> = []
    let start = 0
    for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
      if (lineEnd === "\r" && index === text.length - 1) break
      const line = this.#line.join("") + text.slice(start, index)
      this.#line = []
      this.#lineLength = 0
      start = index + lineEnd.length
      const event = line === "" ? this.#end() : this.#field(line)
      if (event !== undefined) events.push(event)
    }
    this.#carriageReturn = text.endsWith("\r") ? "\r" : ""
    const rest = text.slice(start, text.length - this.#carriageReturn.length)
    if (rest !== "") this.#line.push(rest)
    this.#lineLength += rest.length
    this.#refuseLong(this.#length + this.#lineLength)
    return events
  }

  #refuseLong(length: number): void {
    if (length > this.#maxLength) throw this.#tooLong()
  }

  #field(line: string): undefined {
    const colon = line.indexOf(":")
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)
    if (name === "data") {
      // With the line break that joins it to the next line: an event of many empty lines is long, too.
      this.#length += value.length + 1
      this.#refuseLong(this.#length)
      this.#data.push(value)
    } else if (name === "id" && !value.includes("\0")) {
      this.#pendingId = value
    }
  }

  #end(): ServerSentEvent | undefined {
    this.#id = this.#pendingId
    const event = this.#data.length === 0 ? undefined : { id: this.#id, data: this.#data.join("\n") }
    this.#data = []
    this.#length = 0
    return event
  }
}
