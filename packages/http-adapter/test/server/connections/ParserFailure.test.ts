import * as ParserFailure from "@community-messaging/http-adapter/server/connections/ParserFailure"
import { describe, expect, it } from "vitest"

const answerTo = (code: string | undefined) => {
  const reply = ParserFailure.toReply(code)
  return reply === undefined
    ? undefined
    : [reply.status, reply.error?.code, reply.error?.message, reply.headers["connection"]]
}

describe("A request that Node's parser rejects", () => {
  it.each([
    ["HPE_HEADER_OVERFLOW", 431, "HEADERS_TOO_LARGE", expect.stringContaining("headers")],
    [
      "HPE_CHUNK_EXTENSIONS_OVERFLOW",
      413,
      "PAYLOAD_TOO_LARGE",
      "The chunk extensions of the body are too large."
    ],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408, "REQUEST_TIMEOUT", expect.any(String)],
    ["HPE_INVALID_METHOD", 400, "BAD_REQUEST", expect.any(String)]
  ])("gets the error for its cause, and the connection is closed: %s", (code, ...answer) => {
    expect(answerTo(code)).toEqual([...answer, "close"])
  })

  it.each([undefined, "ECONNRESET", "EPIPE", "NOT_HPE_"])(
    "gets no response if the connection failed: %s",
    (code) => expect(answerTo(code)).toBeUndefined()
  )
})
