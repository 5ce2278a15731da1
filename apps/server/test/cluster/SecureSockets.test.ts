import type * as Socket from "@effect/platform/Socket"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Redacted, Ref } from "effect"
import { once } from "node:events"
import { connect as connectTcp } from "node:net"
import { connect as connectTls } from "node:tls"
import * as SecureSockets from "../../src/cluster/SecureSockets.ts"

const HOST = "127.0.0.1"
const secret = Redacted.make("what all servers of this cluster know")

/** A server that sends each text back in capitals, and counts its connections. */
const shouting = Effect.gen(function*() {
  const heard = yield* Ref.make(0)
  const server = yield* SecureSockets.serve({ host: HOST, port: 0, secret })
  yield* Effect.forkScoped(server.run((socket) =>
    Effect.scoped(Effect.gen(function*() {
      const write = yield* socket.writer
      yield* socket.runRaw((data) =>
        Effect.zipRight(Ref.update(heard, (count) => count + 1), write(String(data).toUpperCase()))
      )
    }))
  ))
  return { port: server.port, heard }
})

/** The server's answer to this text. */
const answerTo = (port: number, text: string, known = secret) =>
  Effect.scoped(Effect.gen(function*() {
    const answer = yield* Deferred.make<string, Socket.SocketError>()
    const socket = yield* SecureSockets.connect(HOST, port, known)
    const write = yield* socket.writer
    yield* Effect.forkScoped(
      socket.runRaw((data) => Deferred.succeed(answer, String(data))).pipe(
        Effect.catchAll((error) => Deferred.fail(answer, error))
      )
    )
    yield* Effect.forkScoped(write(text))
    return yield* Deferred.await(answer)
  }))

/** Everything that a client without the secret gets for these bytes, until the server closes the connection. */
const stranger = (port: number, bytes: Buffer) =>
  Effect.promise(async () => {
    const socket = connectTcp(port, HOST)
    const received: Array<Buffer> = []
    socket.on("data", (chunk) => received.push(chunk)).on("error", () => {})
    socket.write(bytes)
    await once(socket, "close")
    return Buffer.concat(received)
  })

describe("Sockets between servers", () => {
  it.scopedLive("connect clients with the secret, and refuse clients with another one", () =>
    Effect.gen(function*() {
      const { heard, port } = yield* shouting
      const answer = yield* Effect.exit(answerTo(port, "hello", Redacted.make("what these servers do not know at all")))
      expect(Exit.isFailure(answer)).toBe(true)
      expect(yield* Ref.get(heard)).toBe(0)
      expect(yield* answerTo(port, "hello")).toBe("HELLO")
      expect(yield* answerTo(port, "again")).toBe("AGAIN")
    }))

  it.scopedLive("send at most an alert to a client without TLS, and have no cipher for one without a secret", () =>
    Effect.gen(function*() {
      const { heard, port } = yield* shouting
      // A request in MessagePack, as the cluster sends it.
      const ping = Buffer.from("85a45f746167a752657175657374a26964a130a3746167a450696e67", "hex")
      const received = yield* stranger(port, ping)
      // An alert of TLS has seven bytes.
      expect(received.length).toBeLessThanOrEqual(7)
      const refused = yield* Effect.tryPromise(async () => {
        const socket = connectTls({ host: HOST, port, rejectUnauthorized: false })
        await once(socket, "secureConnect")
      }).pipe(Effect.flip)
      expect(String(refused.error)).toMatch(/handshake failure|no shared cipher|protocol version|alert/i)
      expect(yield* Ref.get(heard)).toBe(0)
    }))

  it.scopedLive("close when their server ends", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(shouting)
      expect(Exit.isFailure(yield* Effect.exit(answerTo(port, "hello")))).toBe(true)
    }))
})
