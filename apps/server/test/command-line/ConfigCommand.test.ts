import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SETTINGS } from "../../src/configuration/Configuration.ts"
import { run } from "./Terminal.ts"

const Shown = Schema.parseJson(Schema.Array(Schema.Struct({
  name: Schema.String,
  value: Schema.String,
  source: Schema.String,
  problem: Schema.NullOr(Schema.String)
})))

const shown = (typed: string, environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const { stderr, stdout, succeeded } = yield* run(typed.split(" "), environment)
    const settings = yield* Schema.decode(Shown)(stdout)
    const valueOf = (name: string) => {
      const { source, value } = settings.find((setting) => setting.name === name) ?? {}
      return [value, source]
    }
    return { settings, stderr, succeeded, valueOf }
  })

layer(NodeContext.layer)("the command config", (it) => {
  it.effect("shows every setting, and where each comes from", () =>
    Effect.gen(function*() {
      const { settings, succeeded, valueOf } = yield* shown("config --json --host 0.0.0.0 --log-level debug", {
        HOST: "127.0.0.2",
        PORT: " 9000 ",
        RATE_LIMITS: " "
      })
      expect([succeeded, settings.map(({ name }) => name)]).toEqual([true, SETTINGS.map(({ about: { name } }) => name)])
      expect(["LOG_LEVEL", "HOST", "PORT", "RATE_LIMITS", "DATA_DIR"].map(valueOf)).toEqual([
        ["debug", "flag"],
        ["0.0.0.0", "flag"],
        ["9000", "environment"],
        ["on", "default"],
        [".data", "default"]
      ])
      const { stdout } = yield* run(["config"], { PORT: "9000" })
      expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toContainEqual(["PORT", "9000", "environment"])
      // A blank flag is not set, as for the server.
      expect((yield* shown("config --json --port=", { PORT: "9000" })).valueOf("PORT")).toEqual(["8080", "default"])
    }))

  it.effect("shows a wrong value and its problem, and fails", () =>
    Effect.gen(function*() {
      const { stderr, succeeded, valueOf } = yield* shown("config --json", { PORT: "many", TRUST_PROXY: "11" })
      expect([succeeded, valueOf("PORT")]).toEqual([false, ["many", "environment"]])
      expect(stderr).toBe(
        "community-messaging: PORT must be a whole number from 0 to 65535, not \"many\"; " +
          "TRUST_PROXY must be a whole number from 0 to 10, not \"11\"\n"
      )
    }))

  it.effect("names the setting that another one requires, and masks the URL of the database", () =>
    Effect.gen(function*() {
      const missing = yield* shown("config --json", { STORAGE: "postgres" })
      expect([missing.succeeded, missing.stderr]).toEqual([
        false,
        "community-messaging: DATABASE_URL must be set if STORAGE is postgres\n"
      ])
      const complete = yield* shown("config --json", { STORAGE: "postgres", DATABASE_URL: "postgres://ada:pw@db/chat" })
      expect([complete.succeeded, complete.valueOf("DATABASE_URL")]).toEqual([true, ["********", "environment"]])
      const wrong = yield* shown("config --json", { DATABASE_URL: "mysql://ada:pw@db/chat" })
      expect([wrong.succeeded, wrong.valueOf("DATABASE_URL")]).toEqual([false, ["********", "environment"]])
    }))

  it.effect("masks the user and the password of a URL", () =>
    Effect.gen(function*() {
      const { settings, stderr } = yield* shown("config --json", { PUBLIC_URL: "https://ada:secret@chat.example" })
      expect(JSON.stringify(settings) + stderr).not.toContain("secret")
      expect(stderr).toContain("https://********@chat.example")
    }))
})
