import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { besideLive } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { at } from "../http/JsonPath.ts"
import * as Program from "../program/Program.ts"
import { SECRET, until } from "./ClusterServer.ts"

/** The response of that server to a search by the guild's bot. */
const search = (baseUrl: string, { guild, token }: Effect.Effect.Success<typeof Fixtures.botWithGuild>) =>
  Effect.gen(function*() {
    const request = HttpClientRequest.post(`${baseUrl}/guilds/${guild.id}/members-search`).pipe(
      HttpClientRequest.setHeader("authorization", `Bot ${Redacted.value(token)}`),
      HttpClientRequest.bodyUnsafeJson({})
    )
    const response = yield* HttpClient.execute(request)
    const json = yield* response.json
    return { status: response.status, indexing: at(json, "indexing"), total: at(json, "total_result_count") }
  }).pipe(Effect.provide(FetchHttpClient.layer))

const FOUND = { status: 200, indexing: false, total: 1 }
const BEING_INDEXED = { status: 200, indexing: true, total: 0 }

describe("A server that is killed", () => {
  beforeAll(Program.build)

  it.scopedLive("is replaced: its guilds can be searched again, and meanwhile searches report `indexing`", () =>
    Effect.gen(function*() {
      const settings = {
        STORAGE: "postgres",
        DATABASE_URL: yield* emptyDatabase,
        MEMBER_INDEX: "sharded",
        CLUSTER_SECRET: SECRET,
        RATE_LIMITS: "off"
      }
      const bots = yield* Effect.replicateEffect(Fixtures.botWithGuild, 8).pipe(
        Effect.provide(besideLive(settings))
      )
      const [staying, killed] = yield* Effect.all([Program.serve([], settings), Program.serve([], settings)])
      const searchAll = (baseUrl: string) => Effect.forEach(bots, (bot) => search(baseUrl, bot), { concurrency: 8 })
      const isFound = (answers: ReadonlyArray<unknown>) =>
        answers.every((answer) => JSON.stringify(answer) === JSON.stringify(FOUND))
      yield* until(searchAll(killed.baseUrl), isFound)
      yield* until(searchAll(staying.baseUrl), isFound)
      yield* killed.signal("SIGKILL")
      yield* killed.ended
      const meanwhile: Array<unknown> = []
      yield* until(
        Effect.tap(searchAll(staying.baseUrl), (answers) => Effect.sync(() => meanwhile.push(...answers))),
        isFound
      )
      for (const answer of meanwhile) expect([FOUND, BEING_INDEXED]).toContainEqual(answer)

      yield* staying.signal("SIGTERM")
      expect((yield* staying.ended).code).toBe(0)
    }))
})
