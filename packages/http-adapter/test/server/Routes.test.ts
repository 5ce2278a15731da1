import { targetOf } from "@community-messaging/http-adapter/server/Routes"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"

const target = (url: string | undefined, more: object = {}) =>
  targetOf(Object.assign(new IncomingMessage(new Socket()), { url }, more))

describe("The target of a request", () => {
  it.each([
    ["/v1/docs", "/v1/docs", ""],
    ["/v1/docs?", "/v1/docs", ""],
    ["/v1/docs?a=1&b=?2", "/v1/docs", "a=1&b=?2"],
    ["/http://x/y", "/http://x/y", ""],
    ["http://chat.example/v1/docs?a=1", "/v1/docs", "a=1"],
    ["HTTPS://chat.example:8443/v1/docs", "/v1/docs", ""],
    ["http://chat.example", "/", ""],
    ["http://chat.example?a=1", "/", "a=1"],
    ["http://chat.example/http://other.example/x", "/http://other.example/x", ""],
    ["http:///v1/docs", "http:///v1/docs", ""],
    ["xhttp://chat.example/v1", "xhttp://chat.example/v1", ""],
    ["*", "*", ""],
    ["", "", ""]
  ])("is a path and a query, in origin or absolute form: %s", (url, path, query) => {
    expect(target(url)).toEqual({ path, query })
  })

  it("is the server as a whole for OPTIONS of a URL without a path", () => {
    expect(target("http://chat.example:8080", { method: "OPTIONS" })).toEqual({ path: "*", query: "" })
  })

  it("is empty if there is none", () => {
    expect(target(undefined)).toEqual({ path: "", query: "" })
  })

  it("is the one that the client sent, also if an application cut its mount path off", () => {
    expect(target("/docs", { originalUrl: "/v1/docs?a=1" })).toEqual({ path: "/v1/docs", query: "a=1" })
    expect(target("/docs", { originalUrl: undefined })).toEqual({ path: "/docs", query: "" })
  })
})
