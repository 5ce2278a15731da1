import { PORTS } from "@community-messaging/domain-contract/OwnPorts"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const guide = readFileSync(from("../../../docs/writing-an-adapter.md"), "utf8")

/** The rows of the table of ports: number, port, methods, contract. */
const rows = Array.from(
  guide.matchAll(/^\| (\d+) \| `(\w+)` \| (\d+) \| ([^|]+) \|/gm),
  ([, number, port, methods, contracts = ""]) => ({
    number: Number(number),
    port,
    methods: Number(methods),
    contracts: Array.from(contracts.matchAll(/`(\w+)`/g), ([, name]) => name ?? "")
  })
)

const methodsOf = (port: unknown): number => typeof port === "object" && port !== null ? Object.keys(port).length : 0

describe("the guide for writing an adapter", () => {
  it.scoped("lists all ports with their sizes, in the order in which to write them", () =>
    Effect.gen(function*() {
      const { unsafeMap } = yield* Layer.build(StorageMemory.layer)
      expect(rows.map(({ methods, number, port }) => ({ methods, number, port }))).toEqual(
        PORTS.map(({ key }, index) => ({
          methods: methodsOf(unsafeMap.get(key)),
          number: index + 1,
          port: key.split("/").at(-1)
        }))
      )
    }))

  it("names contracts that exist", () => {
    const missing = rows
      .flatMap(({ contracts }) => contracts)
      .filter((name) => !existsSync(from(`../src/${name.charAt(0).toUpperCase()}${name.slice(1)}.ts`)))
    expect(missing).toEqual([])
    expect(rows.filter(({ contracts }) => contracts.length === 0)).toEqual([])
  })
})
