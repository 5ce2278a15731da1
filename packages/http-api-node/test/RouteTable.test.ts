import * as RouteTable from "@community-messaging/http-api-node/RouteTable"
import { describe, expect, it } from "vitest"

const paths = ["/", "/a", "/a/:id", "/a/fixed", "/a/:id/b/:name", "/files/*"]

const find = RouteTable.make([
  ...paths.map((path) => ({ method: "GET", path })),
  { method: "POST", path: "/a" },
  { method: "HEAD", path: "/a/fixed" },
  { method: "*", path: "/any" }
])

const found = (path: string, params: Readonly<Record<string, string>> = {}) => ({
  _tag: "Found",
  route: { path },
  params
})

describe("A table of routes", () => {
  it.each<readonly [asked: string, path: string, params: Readonly<Record<string, string>>]>([
    ["/", "/", {}],
    ["/a", "/a", {}],
    ["/a/1", "/a/:id", { id: "1" }],
    ["/a/1/b/2", "/a/:id/b/:name", { id: "1", name: "2" }],
    ["/a/1%2F2", "/a/:id", { id: "1/2" }],
    ["/a/%C3%A9", "/a/:id", { id: "é" }],
    ["/a/a:b", "/a/:id", { id: "a:b" }],
    ["/files/x/y", "/files/*", { "*": "x/y" }],
    ["/files/", "/files/*", { "*": "" }]
  ])("finds the route of %s", (asked, path, params) => {
    expect(find("GET", asked)).toMatchObject(found(path, params))
  })

  it("finds a path that is fixed before a parameter, escaped or not", () => {
    expect(find("GET", "/a/fixed")).toMatchObject(found("/a/fixed"))
    expect(find("GET", "/a/fi%78ed")).toMatchObject(found("/a/fixed"))
  })

  it.each(["/A", "/a/", "//a", "/a/1/", "/a//b/2", "/b", "", "/a/%", "/a/%ff"])("does not know %s", (asked) => {
    expect(find("GET", asked)).toEqual({ _tag: "Unknown" })
  })

  it("answers HEAD by GET unless it has a route of its own", () => {
    expect(find("HEAD", "/a")).toMatchObject({ _tag: "Found", route: { method: "GET" } })
    expect(find("HEAD", "/a/fixed")).toMatchObject({ _tag: "Found", route: { method: "HEAD" } })
  })

  it("finds a route of any method", () => {
    expect(find("PROPFIND", "/any")).toMatchObject(found("/any"))
  })

  it("finds a looser pattern where a closer one has not the method", () => {
    const other = RouteTable.make([
      { method: "GET", path: "/users/me" },
      { method: "DELETE", path: "/users/:id" },
      { method: "*", path: "/users/*" }
    ])
    expect(other("DELETE", "/users/me")).toMatchObject(found("/users/:id", { id: "me" }))
    expect(other("POST", "/users/me")).toMatchObject(found("/users/*", { "*": "me" }))
  })

  it("decides by the first segment in which patterns differ", () => {
    const other = RouteTable.make([{ method: "GET", path: "/a/:x/c" }, { method: "GET", path: "/a/b/:y" }])
    expect(other("GET", "/a/b/c")).toMatchObject(found("/a/b/:y", { y: "c" }))
  })

  it("tells which methods a path has", () => {
    expect(find("DELETE", "/a")).toEqual({
      _tag: "OtherMethod",
      path: "/a",
      allow: ["GET", "HEAD", "POST", "OPTIONS"]
    })
  })

  it("takes an escaped slash for no slash", () => {
    expect(find("GET", "/a%2Ffixed")).toEqual({ _tag: "Unknown" })
  })

  it("has parameters of any name", () => {
    const match = RouteTable.make([{ method: "GET", path: "/:__proto__" }])("GET", "/value")
    expect(match._tag === "Found" && Object.entries(match.params)).toEqual([["__proto__", "value"]])
  })

  it.each(["/a/:id.json", "/a/:id?", "/a/(b|c)", "/*/a", "/a*", "/:"])("takes no pattern such as %s", (path) => {
    expect(() => RouteTable.make([{ method: "GET", path }])).toThrow(path)
  })
})
