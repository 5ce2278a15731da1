import * as ParserFailure from "@community-messaging/http-adapter/server/connections/ParserFailure"
import { describe, expect, it } from "vitest"

const answerTo = (code: string | undefined) => {
  const reply = ParserFailure.toReply(code)
  return reply === undefined
    ? undefined
    : [reply.status, reply.error?.code, reply.error?.message, reply.headers["connection"]]
}

describe("What Node's parser rejects", () => {
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
  ])("is answered by what it is, and the connection is closed: %s", (code, ...answer) => {
    expect(answerTo(code)).toEqual([...answer, "close"])
  })

  it.each([undefined, "ECONNRESET", "EPIPE", "NOT_HPE_"])(
    "is not answered where the connection failed, because nobody reads the answer: %s",
    (code) => expect(answerTo(code)).toBeUndefined()
  )
})
