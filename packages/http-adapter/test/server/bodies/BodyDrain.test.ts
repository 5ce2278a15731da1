import { BYTES_PER_TURN, ByteTurns } from "@community-messaging/event-loop/ByteTurns"
import { makeDrain } from "@community-messaging/http-adapter/server/bodies/BodyDrain"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"

/** A request with a body of these pieces. */
const arriving = (...pieces: ReadonlyArray<Buffer>): IncomingMessage => {
  const source = new IncomingMessage(new Socket())
  for (const piece of pieces) source.push(piece)
  source.push(null)
  return source
}

/** Resolves when Node has delivered the pieces of the streams. */
const delivered = () => new Promise((resolve) => setImmediate(resolve))

describe("The rest of a refused body", () => {
  it("is read in turns with others, one turn's bytes at a time", async () => {
    const drain = makeDrain(new ByteTurns())
    const read: Array<number> = []
    for (const _ of [1, 2]) {
      const source = arriving(...Array.from({ length: 3 }, () => Buffer.alloc(BYTES_PER_TURN)))
      drain(source, () => {})
      source.on("data", (piece: Buffer) => read.push(piece.length))
    }
    const perTurn: Array<number> = []
    const readAll = async (): Promise<void> => {
      if (read.length === 6) return
      await delivered()
      perTurn.push(read.length)
      return readAll()
    }
    await readAll()
    // Each body delivers one piece before it is paused.
    expect(perTurn[0]).toBeLessThan(6)
    expect(perTurn.length).toBeGreaterThan(3)
  })

  it("ends when it is read", async () => {
    const ended = await new Promise((resolve) => {
      makeDrain(new ByteTurns())(arriving(Buffer.from("rest")), () => resolve("ended"))
    })
    expect(ended).toBe("ended")
  })

  it("is read, also after that of any number of others", async () => {
    const drain = makeDrain(new ByteTurns())
    const isRead: Array<boolean> = []
    for (let count = 0; count < 100; count += 1) {
      const source = arriving(Buffer.from("rest"))
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      await new Promise<void>((resolve) => drain(source, resolve))
      isRead.push(source.readableEnded)
    }
    expect(isRead).not.toContain(false)
  })
})
