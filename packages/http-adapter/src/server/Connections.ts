import { Duration, Effect, Runtime } from "effect"
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { ExpectationFailed, MethodNotAllowed } from "../wire/ApiError.ts"
import { Admission, type ConnectionLimits, DEFAULT_LIMITS } from "./Admission.ts"
import { keyOf } from "./ClientAddress.ts"
import { afterPoll, type Answers, Connection, type Shared } from "./Connection.ts"
import * as ContinueExpectation from "./ContinueExpectation.ts"
import * as ParserFailure from "./ParserFailure.ts"
import { ReadAhead } from "./ReadAhead.ts"
import * as Reply from "./Reply.ts"
import { RequestTurns } from "./RequestTurns.ts"

/** The options of a Node server whose connections are managed. */
export const SERVER_OPTIONS = {
  // The adapter checks them itself, so that the answer has the form of all errors.
  requireHostHeader: false,
  joinDuplicateHeaders: true,
  /** The maximum time in which the headers of a request arrive, and how often it is checked, in milliseconds. */
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000
} as const satisfies ServerOptions

/** How long a server that stops waits for requests on idle connections. Most clients learn from an answer that it stops. */
const LINGER = Duration.seconds(1)

/** The least time between two log lines about refused connections. */
const TOLD_AGAIN_AFTER = Duration.toMillis("1 minute")

const expectationFailed = Reply.ofError(new ExpectationFailed(), { connection: "close" })

const noProxy = Reply.ofError(new MethodNotAllowed({ message: "This server is not a proxy." }), {
  allow: "",
  connection: "close"
})

/** The connections of a Node server. */
export interface Connections {
  /** Begins to answer requests. Those that came before wait until then. */
  readonly serve: (answers: Answers) => void
  /**
   * Stops accepting connections, and returns when all requests are answered and all connections are closed. Every answer
   * tells that its connection is closed; idle connections are closed after a while. What is left after the given time is
   * cut off.
   */
  readonly drain: (longest: Duration.Duration) => Effect.Effect<void>
}

/** How connections are managed. */
export interface Options extends Partial<ConnectionLimits> {
  /** How long a server that stops waits for requests on idle connections: a second by default. */
  readonly linger?: Duration.Duration
}

/**
 * Calls when no connection waits to be accepted, or it is that late by `performance.now()`. Node accepts one at each turn
 * of the event loop, and closing the listening socket resets those that wait.
 */
const afterBacklog = (server: Server, latest: number, call: () => void): void => {
  let hasAccepted = false
  const accept = () => {
    hasAccepted = true
  }
  server.once("connection", accept)
  afterPoll(() => {
    server.off("connection", accept)
    if (hasAccepted && performance.now() < latest) afterBacklog(server, latest, call)
    else call()
  })
}

const isSocket = (stream: object): stream is Socket => "setTimeout" in stream && "destroySoon" in stream

/** Uses Node timers instead of fibers, because this runs while fibers are interrupted. */
const drain = (
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  shared: Shared,
  lingerMillis: number,
  longestMillis: number
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    const cutOff = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy()
    }, longestMillis)
    afterBacklog(server, performance.now() + lingerMillis, () => {
      shared.isStopping = true
      for (const connection of connections.values()) connection.stop()
      const linger = setTimeout(() => {
        for (const connection of connections.values()) connection.endWhenIdle()
      }, lingerMillis)
      // The method of the HTTP server would reset idle connections whose next request has arrived unread.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(linger)
        clearTimeout(cutOff)
        resume(Effect.void)
      })
    })
  })

/** Logs at most one line a minute, so that many refused connections do not fill the log. */
const makeTell = Effect.gen(function*() {
  const clock = yield* Effect.clock
  const fork = Runtime.runFork(yield* Effect.runtime())
  let count = 0
  let told = Number.NEGATIVE_INFINITY
  return (reason: string) => {
    count += 1
    const now = Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
    if (now - told < TOLD_AGAIN_AFTER) return
    fork(Effect.annotateLogs(Effect.logWarning("Connections refused"), { reason, count }))
    count = 0
    told = now
  }
})

/** Answers nothing: until the server serves. */
const NOBODY: Answers = {
  answer: () => ({ abandon: () => {}, endStream: () => {} }),
  answerUnparsed: (socket) => socket.destroy()
}

/** Manages the connections of a Node server that is made with `SERVER_OPTIONS`. */
export const make = (server: Server, options: Options = {}): Effect.Effect<Connections> =>
  Effect.map(makeTell, (tell) => {
    const admission = new Admission({ ...DEFAULT_LIMITS, ...options })
    const connections = new Map<Socket, Connection>()
    const shared: Shared = {
      answers: NOBODY,
      isStopping: false,
      waiting: 0,
      turns: new RequestTurns(),
      readAhead: new ReadAhead({ [Symbol.iterator]: () => connections.values() })
    }
    let early: Array<() => void> | undefined = []

    const receive = (source: IncomingMessage, target: ServerResponse, refusal?: Reply.Reply) => {
      if (early === undefined) connections.get(source.socket)?.receive(source, target, refusal)
      else early.push(() => connections.get(source.socket)?.receive(source, target, refusal))
    }

    // Before the listener of the HTTP server itself.
    server.prependListener("connection", (socket: Socket) => {
      const address = keyOf(socket.remoteAddress ?? "")
      const verdict = admission.open(address)
      if (verdict._tag !== "Admitted") tell("too many connections")
      if (verdict._tag === "Dropped") {
        socket.destroy()
        return
      }
      const refusal = verdict._tag === "Refused" ? verdict.reply : undefined
      connections.set(socket, new Connection(socket, address, shared, refusal))
      socket.once("close", () => {
        connections.delete(socket)
        admission.close(address, verdict)
      })
    })
    // Such as running out of file descriptors. The server goes on.
    server.on("error", (error: NodeJS.ErrnoException) => tell(error.code ?? error.name))
    server.on("request", receive)
    server.on("checkContinue", (source, target) => {
      ContinueExpectation.remember(source, target)
      receive(source, target)
    })
    server.on("checkExpectation", (source, target) => receive(source, target, expectationFailed))
    server.on("clientError", ({ code }: NodeJS.ErrnoException, stream) => {
      const connection = isSocket(stream) ? connections.get(stream) : undefined
      const reply = ParserFailure.toReply(code)
      if (code === ParserFailure.AFTER_LAST_REQUEST) return
      // Nobody waits for an answer on a failed connection, or on one that has not been used.
      if (connection === undefined || reply === undefined || connection.socket.bytesRead === 0) stream.destroy()
      else connection.fail(reply)
    })
    server.on("connect", (_source, stream) => {
      // Node has removed its own listener.
      stream.on("error", () => stream.destroy())
      const connection = isSocket(stream) ? connections.get(stream) : undefined
      if (connection === undefined) stream.destroy()
      else connection.fail(noProxy)
    })

    return {
      serve: (answers) => {
        shared.answers = answers
        const waiting = early ?? []
        early = undefined
        for (const begin of waiting) begin()
      },
      drain: (longest) =>
        drain(
          server,
          connections,
          shared,
          Duration.toMillis(options.linger ?? LINGER),
          Duration.toMillis(longest)
        )
    }
  })
