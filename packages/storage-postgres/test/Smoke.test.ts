import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { emptyDatabase } from "../../../test/Postgres.ts"
it.scopedLive("works", () =>
  Effect.gen(function*() {
    const url = yield* emptyDatabase
    yield* LocalPostgres.execute(url, "SELECT 1")
    expect(url).toContain("postgres://")
  }))
