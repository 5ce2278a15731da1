import * as ParserFailure from "@community-messaging/http-adapter/server/connections/ParserFailure"
import { describe, expect, it } from "vitest"

describe("A failure of Node's parser", () => {
  it.each([undefined, "ECONNRESET", "EPIPE", "NOT_HPE_"])(
    "gets no response if the connection failed: %s",
    (code) => expect(ParserFailure.toReply(code)).toBeUndefined()
  )
})
