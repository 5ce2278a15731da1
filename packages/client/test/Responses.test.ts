import { describe, expect, it } from "vitest"
import { createClient } from "../src/Client.ts"
import { ApiError, UnexpectedResponseError } from "../src/ClientError.ts"
import { rejectionOf } from "./Rejection.ts"
import { answer, refuse, serve, type Step } from "./ScriptedServer.ts"

const listFrom = async (step: Step, maxResponseBytes = 1000) => {
  const { baseUrl } = await serve(step)
  const client = createClient({ baseUrl, credentials: { bot: "cmb_secret" }, retries: 0, maxResponseBytes })
  return client.scheduledMessages.list({}, { requestId: "mine-1" })
}

/** Answers piece by piece, so that the length is not declared. */
const chunked = (status: number, text: string): Step => (response) => {
  response.writeHead(status, { "content-type": "application/json" })
  response.write(text.slice(0, 1))
  response.end(text.slice(1))
}

describe("A response", () => {
  it("is read in any pieces, and in any script", async () => {
    expect(await listFrom(chunked(200, "[\"Björk ✓\"]"))).toEqual(["Björk ✓"])
  })

  it.each([
    ["declares more bytes than the limit", answer(200, "x".repeat(1001), { "content-length": "1001" })],
    ["has more bytes than the limit", chunked(200, "x".repeat(1001))],
    ["is an error with more bytes than the limit", chunked(404, "x".repeat(1001))]
  ])("is refused if it %s", async (_, step) => {
    await expect(listFrom(step)).rejects.toThrow("the body has more than 1000 bytes")
  })

  it.each([
    ["that is not JSON", answer(200, "<html>")],
    ["of another status", answer(206, [])],
    ["that is an error page", answer(404, "<html>")],
    ["with an unknown code", refuse(418, "TEAPOT")],
    ["with the code of another operation", refuse(404, "UNKNOWN_WEBHOOK")]
  ])("is an UnexpectedResponseError: one %s", async (_, step) => {
    const failure = await rejectionOf(listFrom(step))
    expect(failure).toBeInstanceOf(UnexpectedResponseError)
    expect(failure).toMatchObject({
      _tag: "UnexpectedResponseError",
      requestId: "r-1",
      operation: "scheduledMessages.list"
    })
  })

  it("with an unknown code is refused with the code and the message, because a newer server may have sent it", async () => {
    await expect(listFrom(answer(409, { code: "NEWER_CODE", message: "Newer message" })))
      .rejects.toThrow("does not know the error NEWER_CODE of this operation: Newer message")
  })

  it("is an ApiError with all fields of the API's error", async () => {
    const errors = [
      { path: "status.0", message: "must be one of: sent", code: "INVALID_ENUM_VALUE" },
      { path: "limit", message: "must be 1 to 100", code: "NUMBER_OUT_OF_RANGE" }
    ]
    const failure = await rejectionOf(listFrom(refuse(400, "INVALID_FORM_BODY", {}, { errors })))
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({
      _tag: "INVALID_FORM_BODY",
      code: "INVALID_FORM_BODY",
      status: 400,
      requestId: "r-1",
      operation: "scheduledMessages.list",
      violations: errors,
      retryAfter: null,
      message: "scheduledMessages.list: INVALID_FORM_BODY (400): " +
        "status.0 must be one of: sent; limit must be 1 to 100"
    })
  })
})

describe("A request", () => {
  it("has the request id that the caller gives it", async () => {
    const server = await serve(answer(200, []))
    const client = createClient({ baseUrl: server.baseUrl, credentials: { bot: "cmb_secret" } })
    await client.scheduledMessages.list({}, { requestId: "mine-1" })
    expect(server.requests[0]?.headers).toMatchObject({ "x-request-id": "mine-1", accept: "application/json" })
  })
})
