import { FairTurns } from "@community-messaging/event-loop/FairTurns"
import { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Reply } from "../replies/Reply.ts"
import { ReadAhead } from "./ReadAhead.ts"

/** The work on a request, as its connection uses it. */
export interface Answering {
  /** Whether the client has disconnected, or has the whole response. */
  readonly isClosed: boolean
  /** Ends the work, and sends this reply unless another one was sent before. */
  readonly abandon: (reply: Reply) => void
  /** Ends the response if it is a stream, or when it becomes one. */
  readonly endStream: () => void
}

/** Answers the requests on connections. */
export interface Answers {
  /** Begins to answer a request: with this reply if one is given. */
  readonly answer: (source: IncomingMessage, target: ServerResponse, refusal?: Reply) => Answering
}

/** The maximum of waiting requests on all connections: a little more than one connection can send in a read of 64 KiB. */
const MAX_WAITING = 3_000

/**
 * How long a client may still send after a reply that closes its connection, and how long the requests of a client that has
 * finished sending may take, in milliseconds.
 */
const LINGER_MILLIS = 1_000

/** Calls the function after the event loop has polled the sockets once. */
export const afterPoll = (call: () => void): void => {
  setImmediate(() => setImmediate(call))
}

/**
 * Calls the function after the parser has read the bytes that arrived with the headers of a request: a small body has
 * arrived then, and can be read without waiting.
 */
const afterParsing = (call: () => void): void => process.nextTick(call)

/** A request that the server received. */
interface Received {
  readonly source: IncomingMessage
  readonly target: ServerResponse
  /** The reply in place of the route's. */
  refusal: Reply | undefined
}

/**
 * A client's connection. Its requests are answered one after another, as HTTP requires unless all of them are safe
 * (RFC 9112, 9.3.2). While requests wait, nothing is read: the rest waits in the buffers of the network, and the next
 * response detects a client that has disconnected.
 */
export class Connection {
  readonly socket: Socket
  readonly #shared: OpenConnections
  readonly #address: string
  /** The reply to every request if there are too many connections. */
  readonly #refusal: Reply | undefined
  /** The request in progress, or the last one. */
  #present: Received | undefined
  #answering: Answering | undefined
  #waiting: Array<Received> = []
  #hasFailed = false
  /** Whether nothing is read because requests wait. */
  #isPaused = false
  /** Whether nothing is read in this turn of the event loop. */
  #isHeld = false
  #staysPaused = false

  constructor(socket: Socket, address: string, shared: OpenConnections, refusal: Reply | undefined) {
    this.socket = socket
    this.#address = address
    this.#shared = shared
    this.#refusal = refusal
    socket.once("close", () => {
      shared.waiting -= this.#waiting.length
      this.#waiting = []
    })
    socket.once("end", () => this.#finish())
  }

  /** Answers a request, with this reply if one is given. */
  receive(source: IncomingMessage, target: ServerResponse, refusal: Reply | undefined): void {
    const { writable } = this.socket
    if (writable && this.#isIdle()) return this.#begin({ source, target, refusal })
    this.#shared.readAhead.count()
    if (writable) this.#enqueue({ source, target, refusal })
    // A request that crosses the end of an idle connection cannot get a response any more.
    else this.socket.destroy()
  }

  /** The parser has rejected the client's bytes: the body of the last request, or bytes after it. */
  fail(reply: Reply): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    const last = this.#waiting.at(-1)
    if (!this.socket.writable) this.socket.destroy()
    else if (this.#isIdle()) this.#endWith(reply)
    else if (last !== undefined && !last.source.complete) last.refusal = reply
    else if (last !== undefined) last.target.once("close", () => this.#endWith(reply))
    else if (this.#present?.source.complete === true) this.#present.target.once("close", () => this.#endWith(reply))
    else if (this.#present?.target.headersSent === true) this.#endAfterReply()
    else if (this.#answering !== undefined) this.#answering.abandon(reply)
    else if (this.#present !== undefined) this.#present.refusal = reply
  }

  /** No request follows the present ones; a stream ends. */
  stop(): void {
    this.#markLast()
    this.#answering?.endStream()
  }

  /** Ends the connection as soon as no request is in progress. */
  endWhenIdle(): void {
    if (this.#isIdle()) this.socket.end()
    else this.#present?.target.once("close", () => this.endWhenIdle())
  }

  /**
   * The client sends nothing more. It has disconnected, or waits for its responses: TCP does not distinguish these. So its
   * requests are answered for a while, and then abandoned. Streams end at once, because nothing else closes them.
   */
  #finish(): void {
    if (this.#isIdle()) return
    this.#answering?.endStream()
    const cutOff = setTimeout(() => {
      // A response that is being sent has its own limit.
      const isAnswered = this.#waiting.length === 0 && this.#present?.target.writableEnded === true
      if (!isAnswered) this.socket.destroy()
    }, LINGER_MILLIS)
    this.socket.once("close", () => clearTimeout(cutOff))
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && (this.#present === undefined || this.#present.target.closed)
  }

  #begin(request: Received): void {
    this.#present = request
    this.#answering = undefined
    if (this.#shared.isStopping) this.#markLast()
    const answerBy = ({ answer }: Answers) => {
      if (this.socket.destroyed) return
      const { refusal = this.#refusal, source, target } = request
      this.#answering = answer(source, target, refusal)
      if (this.#shared.isStopping) this.#answering.endStream()
    }
    afterParsing(() => this.#shared.begin(this.#address, answerBy))
  }

  /** The response to the last request announces that the connection is closed. */
  #markLast(): void {
    if (this.#present !== undefined && this.#waiting.length === 0) this.#present.target.shouldKeepAlive = false
  }

  #enqueue(request: Received): void {
    if (this.#shared.waiting >= MAX_WAITING) {
      this.socket.destroy()
      return
    }
    this.#waiting.push(request)
    this.#shared.waiting += 1
    this.#isPaused = true
    this.#stopReading()
    if (this.#waiting.length > 1) return
    const target = this.#present?.target
    if (this.#shared.isStopping && target?.headersSent === false) target.shouldKeepAlive = true
    target?.once("close", () => this.#proceed())
  }

  /** Stops reading for now, except a body: its reader has its own limits. */
  hold(): void {
    if (this.#present?.source.complete === false) return
    this.#isHeld = true
    this.#stopReading()
  }

  /** Ends `hold`. */
  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (!this.#isPaused) this.socket.resume()
  }

  /** Stops reading, and pauses the socket again whenever Node resumes it, as it does at the end of a request. */
  #stopReading(): void {
    if (!this.#staysPaused) {
      this.#staysPaused = true
      this.socket.on("resume", () => (this.#isPaused || this.#isHeld) && this.socket.pause())
    }
    this.socket.pause()
  }

  #resume(): void {
    this.#isPaused = false
    if (!this.#isHeld) this.socket.resume()
  }

  /** Leaves a turn of the event loop to other connections, and then begins with the next request. */
  #proceed(): void {
    // The reply to the last waiting request depends on what follows it, so reading resumes before.
    if (this.#waiting.length <= 1) this.#resume()
    afterPoll(() => {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#shared.waiting -= 1
      this.socket.setTimeout(0)
      if (this.#waiting.length > 0) next.target.once("close", () => this.#proceed())
      this.#begin(next)
    })
  }

  /** Answers bytes that are not a request like a request without anything. */
  #endWith(reply: Reply): void {
    const { socket } = this
    if (!socket.writable) return
    const source = Object.assign(new IncomingMessage(socket), { complete: true })
    const target = new ServerResponse(source)
    target.assignSocket(socket)
    this.#shared.answers?.answer(source, target, reply)
    this.#endAfterReply()
  }

  /** Closing a socket with unread bytes resets it, and the reply may be lost. So it is read for a while. */
  #endAfterReply(): void {
    const { socket } = this
    socket.end()
    const cutOff = setTimeout(() => socket.destroy(), LINGER_MILLIS)
    socket.once("close", () => clearTimeout(cutOff))
  }
}

/** The open connections of a server, and what they have in common. */
export class OpenConnections {
  /** Undefined before `serve`. */
  answers: Answers | undefined
  /** Whether the present requests are the last ones. */
  isStopping = false
  /** The requests on all connections that wait for the one before them. */
  waiting = 0
  readonly #turns = new FairTurns()
  readonly readAhead = new ReadAhead({ [Symbol.iterator]: () => this.#all.values() })
  readonly #all = new Map<object, Connection>()
  /** The requests that began before `serve`, at most one of each connection. */
  readonly #early: Array<() => void> = []

  get all(): Iterable<Connection> {
    return this.#all.values()
  }

  /** The connection of the socket; undefined if it is closed. */
  find(socket: object): Connection | undefined {
    return this.#all.get(socket)
  }

  /** Adds a connection until it is closed. Its requests get this reply if one is given. */
  add(socket: Socket, address: string, refusal: Reply | undefined): void {
    this.#all.set(socket, new Connection(socket, address, this, refusal))
    socket.once("close", () => this.#all.delete(socket))
  }

  /** Answers a request on its connection, or sends this reply if one is given. */
  receive(source: IncomingMessage, target: ServerResponse, refusal?: Reply): void {
    this.find(source.socket)?.receive(source, target, refusal)
  }

  /** Answers a request from this address in its turn, or after `serve`. */
  begin(address: string, answerBy: (answers: Answers) => void): void {
    const { answers } = this
    if (answers === undefined) this.#early.push(() => this.begin(address, answerBy))
    else this.#turns.begin(address, () => answerBy(answers))
  }

  /** Begins to answer requests. */
  serve(answers: Answers): void {
    this.answers = answers
    for (const begin of this.#early.splice(0)) begin()
  }
}
