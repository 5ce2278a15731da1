// The linter enforces the rules of the repository, and a rule that never reports proves nothing. So each rule runs here
// on code that it must report, and on code that it must accept.

import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** The imports that a package's sources may have besides their own files, and forbidden ones. */
const imports = [
  {
    importer: "packages/domain/src/guild/Canary.ts",
    may: ["effect", "./Role.ts", "../shared-kernel/Snowflake.ts"],
    mayNot: [
      "node:crypto",
      "crypto",
      "sharp",
      "@effect/platform",
      "@community-messaging/domain-contract/Canary",
      "@community-messaging/storage-memory/Canary"
    ]
  },
  {
    importer: "packages/domain/src/shared-kernel/Canary.ts",
    may: ["effect", "./Snowflake.ts"],
    mayNot: ["../account/User.ts", "../audit/AuditLog.ts", "../event/DomainEvent.ts", "../UseCases.ts"]
  },
  {
    importer: "packages/domain/src/account/Canary.ts",
    may: ["./User.ts", "../audit/AuditLog.ts", "../shared-kernel/Snowflake.ts"],
    mayNot: ["../access/Credential.ts", "../account-deletion/DueDeletions.ts", "../event/DomainEvent.ts"]
  },
  {
    importer: "packages/domain/src/message/Canary.ts",
    may: ["./Message.ts", "../account/User.ts", "../guild/Guild.ts"],
    mayNot: ["../webhook/Webhook.ts", "../scheduled-message/ScheduledMessage.ts", "../StoragePorts.ts"]
  },
  {
    importer: "packages/domain/src/webhook/code-host/Canary.ts",
    may: ["./Colour.ts", "../Markdown.ts", "../../message/Embed.ts", "../../shared-kernel/Snowflake.ts"],
    mayNot: ["../../oauth2/Consent.ts", "../../event/EventStream.ts"]
  },
  {
    importer: "packages/domain/src/account-deletion/Canary.ts",
    may: ["../account/User.ts", "../oauth2/ConsentRepository.ts", "../scheduled-message/ScheduledMessage.ts"],
    mayNot: ["../webhook/Webhook.ts", "../event/DomainEvent.ts"]
  },
  {
    importer: "packages/domain/src/event/Canary.ts",
    may: ["../account/UserEvents.ts", "../webhook/WebhookEvents.ts", "../shared-kernel/Event.ts"],
    mayNot: ["../access/Credential.ts", "../UseCases.ts"]
  },
  {
    importer: "packages/domain/src/not-listed-yet/Canary.ts",
    may: ["effect", "./Other.ts", "../shared-kernel/Snowflake.ts"],
    mayNot: ["../account/User.ts", "../event/DomainEvent.ts"]
  },
  {
    importer: "packages/domain/src/Canary.ts",
    may: ["effect", "./account/User.ts", "./event/DomainEvent.ts"],
    mayNot: ["node:crypto"]
  },
  {
    importer: "packages/platform-node/src/Canary.ts",
    may: [
      "effect",
      "./Other.ts",
      "@community-messaging/domain/shared-kernel/Digest",
      "node:crypto",
      "sharp"
    ],
    mayNot: ["@effect/platform-node", "@community-messaging/http-adapter/Canary"]
  },
  {
    importer: "packages/domain-contract/src/Canary.ts",
    may: [
      "effect",
      "./Other.ts",
      "@community-messaging/domain/account/UserRepository",
      "@community-messaging/storage-memory/StorageMemory",
      "@effect/vitest",
      "vitest"
    ],
    mayNot: ["node:fs", "@community-messaging/storage-sql/Canary", "@community-messaging/storage-sqlite/Canary"]
  },
  {
    importer: "packages/storage-memory/src/Canary.ts",
    may: ["effect", "./Other.ts", "@community-messaging/domain/account/UserRepository"],
    mayNot: [
      "node:fs",
      "@effect/sql",
      "@community-messaging/domain-contract/Canary",
      "@community-messaging/storage-sqlite/A"
    ]
  },
  {
    importer: "packages/storage-sql/src/Canary.ts",
    may: ["effect", "./Other.ts", "@community-messaging/domain/account/User"],
    mayNot: ["node:fs", "better-sqlite3", "@community-messaging/storage-sqlite/A"]
  },
  {
    importer: "packages/storage-sqlite/src/Canary.ts",
    may: ["effect", "./Other.ts", "@community-messaging/storage-sql/Database", "better-sqlite3", "node:fs"],
    mayNot: ["@effect/platform-node", "@community-messaging/storage-memory/A", "@community-messaging/http-adapter/A"]
  },
  {
    importer: "packages/http-adapter/src/webhooks/Handlers.ts",
    may: ["effect", "./Api.ts", "../server/Reply.ts", "@community-messaging/domain/webhook/Webhooks", "node:http"],
    mayNot: ["node:fs", "@effect/platform", "@effect/platform-node", "@community-messaging/storage-memory/Canary"]
  },
  {
    importer: "packages/http-adapter/src/server/Canary.ts",
    may: ["./Routes.ts", "./bodies/BodyReader.ts", "../wire/ApiError.ts", "../webhooks/AvatarDataUri.ts"],
    mayNot: ["node:fs"]
  },
  {
    importer: "packages/http-adapter/src/server/bodies/Canary.ts",
    may: [
      "effect",
      "./BodyMemory.ts",
      "../rate-limits/RateLimits.ts",
      "../../wire/ApiError.ts",
      "@community-messaging/json-reader/JsonReader",
      "node:http"
    ],
    mayNot: [
      "../Routes.ts",
      "../connections/Connection.ts",
      "../../webhooks/AvatarDataUri.ts",
      "../../HttpAdapter.ts",
      "node:fs"
    ]
  },
  {
    importer: "packages/event-loop/src/Canary.ts",
    may: ["effect", "./NextTurn.ts"],
    mayNot: ["@community-messaging/domain/shared-kernel/RealTime", "node:http"]
  },
  {
    importer: "packages/json-reader/src/Canary.ts",
    may: ["effect", "./JsonToken.ts", "node:buffer"],
    mayNot: ["@community-messaging/domain/shared-kernel/CodePointLength", "node:http"]
  },
  {
    importer: "packages/http-adapter/src/server/not-listed-yet/Canary.ts",
    may: ["effect", "./Other.ts", "../../wire/ApiError.ts"],
    mayNot: ["../replies/Reply.ts", "../Routes.ts"]
  },
  ...[
    "Api",
    "OpenApiDocument",
    "canary/Api",
    "canary/CanaryResource",
    "webhooks/AvatarDataUri",
    "wire/Canary"
  ].map((name) => ({
    importer: `packages/http-adapter/src/${name}.ts`,
    may: [
      "effect",
      "../wire/WireType.ts",
      "@community-messaging/domain/account/User",
      "@community-messaging/json-reader/Excerpt",
      "@community-messaging/compiled-schema/CompiledSchema",
      "@effect/platform/OpenApi"
    ],
    mayNot: [
      "./Handlers.ts",
      "../server/Pipeline.ts",
      "../HttpAdapter.ts",
      "./AvatarContentCheck.ts",
      "./AuthorisedPage.ts",
      "@community-messaging/domain/account/UserRepository",
      "@community-messaging/json-reader/JsonReader",
      "node:http"
    ]
  })),
  {
    importer: "packages/not-listed-yet/src/Canary.ts",
    may: ["./Other.ts"],
    mayNot: ["effect", "@community-messaging/domain/shared-kernel/Snowflake"]
  },
  {
    importer: "apps/server/src/Canary.ts",
    may: ["effect", "node:fs", "@effect/cli", "@community-messaging/storage-sqlite/A"],
    mayNot: []
  },
  {
    importer: "packages/domain/test/Canary.test.ts",
    may: [
      "effect",
      "vitest",
      "../src/shared-kernel/Snowflake.ts",
      "@community-messaging/domain-contract/Canary",
      "@community-messaging/storage-memory/Canary"
    ],
    mayNot: []
  }
].map(({ importer, may, mayNot }) => ({
  importer,
  may,
  mayNot: [...mayNot, "effect/Effect", "@community-messaging/server/Configuration"]
}))

/** A rule, a line that breaks it, and in case of doubt a line that does not. */
const rules: ReadonlyArray<readonly [rule: string, breaks: string, keeps?: string]> = [
  ["no-restricted-globals", "export const now = new Date()", "export type Days = ReadonlyArray<Date>"],
  ["no-restricted-properties", "export const now = Date.now()", "export const half = Math.round(0.5)"],
  ["no-restricted-properties", "export const die = Math.random()"],
  ["no-restricted-properties", "export const first = Effect.race(one, other)"],
  ["no-restricted-properties", "export const mode = process.env"],
  ["no-restricted-imports", "export * from \"../../storage-memory/src/Canary.ts\""],
  ["no-console", "console.log(1)"],
  ["no-default-export", "export default 1", "export const one = 1"],
  ["no-barrel-file", "export * from \"effect\""],
  ["consistent-type-assertions", "export const two = 2 as number", "export const one = 1 as const"],
  ["no-explicit-any", "export type Anything = any", "export type Something = unknown"],
  ["no-non-null-assertion", "export const first = [1][0]!"],
  ["no-unsafe-assignment", "export const data: string = JSON.parse(\"1\")"],
  ["no-floating-promises", "Promise.resolve(1)", "await Promise.resolve(2)"],
  [
    "strict-boolean-expressions",
    "export const is = (x: string) => x ? 1 : 2",
    "export const be = (x: boolean) => x ? 1 : 2"
  ]
]
const ruleFile = (index: number) => `packages/domain/src/Canary${index}.ts`
const misnamed = "packages/domain/src/camelCase.ts"

/** A folder with the structure and the linter of the repository, but none of its code. */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "lint-")))
const repository = dirname(import.meta.dirname)
const write = (file: string, lines: ReadonlyArray<string>) => {
  mkdirSync(dirname(join(scratch, file)), { recursive: true })
  writeFileSync(join(scratch, file), `${lines.join("\n")}\n`)
}

/** The numbers of the lines that break the rule, by file. */
let broken: (rule: string, file: string) => ReadonlyArray<number>

beforeAll(() => {
  cpSync(join(repository, "oxlint.config.mjs"), join(scratch, "oxlint.config.mjs"))
  symlinkSync(join(repository, "node_modules"), join(scratch, "node_modules"), "junction")
  write("tsconfig.json", ["{ \"compilerOptions\": { \"strict\": true } }"])
  for (const { importer, may, mayNot } of imports) {
    write(importer, [...mayNot, ...may].map((name, index) => `export * as m${index} from "${name}"`))
  }
  for (const [index, [, breaks, keeps]] of rules.entries()) write(ruleFile(index), [breaks, keeps ?? ""])
  write(misnamed, ["export const one = 1"])

  const oxlint = spawnSync(
    process.execPath,
    ["node_modules/oxlint/bin/oxlint", "--config=oxlint.config.mjs", "--format=unix"],
    { cwd: scratch, encoding: "utf8" }
  )
  const findings = oxlint.stdout.split("\n").map((line) => /^(.+?):(\d+):.*\((.+)\)\]$/.exec(line)?.slice(1) ?? [])
  broken = (rule, file) =>
    findings.filter((finding) => finding[0] === file && finding[2] === rule).map((finding) => Number(finding[1]))
}, 60_000)

afterAll(() => {
  rmSync(scratch, { recursive: true })
})

describe("who may import whom", () => {
  it.each(imports)("$importer", ({ importer, may, mayNot }) => {
    const lines = broken("no-restricted-imports", importer)
    expect([...mayNot, ...may].filter((_, index) => lines.includes(index + 1))).toEqual(mayNot)
  })
})

describe("forbidden code", () => {
  it.each(rules.map(([rule, breaks], index) => ({ rule, breaks, index })))("$rule: $breaks", ({ index, rule }) => {
    expect(broken(rule, ruleFile(index))).toEqual([1])
  })

  it("filename-case: anything but PascalCase", () => {
    expect(broken("filename-case", misnamed)).toEqual([1])
    expect(broken("filename-case", ruleFile(0))).toEqual([])
  })
})
