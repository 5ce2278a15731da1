import type { Aggregate } from "@community-messaging/domain/shared-kernel/Aggregate"
import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Announcement } from "@community-messaging/domain/webhook/Announcement"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as Statements from "@community-messaging/storage-sql/Statements"
import * as UnitOfWorkSql from "@community-messaging/storage-sql/UnitOfWorkSql"
import * as WebhookRepositorySql from "@community-messaging/storage-sql/WebhookRepositorySql"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, DateTime, Effect, Exit, Option } from "effect"
import { noting } from "./NotingStorage.ts"

/** A database without rows, and the locks that were taken on it. */
const locking = () => {
  const units = noting()
  const nothing = Statements.fragment``
  const database: typeof Database.Service = {
    ...units,
    dialect: {
      isTaken: () => false,
      skipLocked: nothing,
      keepExisting: () => nothing,
      newEvents: nothing,
      lastEventNumber: nothing,
      byBytes: nothing
    },
    recoverable: (statement) => statement,
    settled: Effect.void,
    notifications: Effect.dieMessage("No test here subscribes to events.")
  }
  return {
    ...units,
    ports: Context.make(UnitOfWork, UnitOfWorkSql.make(database)).pipe(
      Context.add(WebhookRepository, WebhookRepositorySql.make(database))
    )
  }
}

const account: Aggregate = { kind: "account", id: Snowflake.make("10") }
const webhook: Aggregate = { kind: "webhook", id: Snowflake.make("9") }

const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) ? Option.getOrNull(Cause.dieOption(exit.cause)) : null)

describe("the locks of a unit of work", () => {
  const taking = (use: (unitOfWork: UnitOfWork["Type"]) => Effect.Effect<void, unknown>) =>
    Effect.gen(function*() {
      const { atomically, ports, taken } = locking()
      yield* Effect.provide(Effect.flatMap(UnitOfWork, (unitOfWork) => atomically(use(unitOfWork))), ports)
      return taken
    })

  it.effect("are those of its aggregates, each once and in one order, after a shared lock on everything", () =>
    Effect.gen(function*() {
      const expected = [
        { key: "everything", shared: true },
        { key: "account:10", shared: false },
        { key: "webhook:9", shared: false }
      ]
      expect(yield* taking(({ lock }) => lock(account, webhook))).toEqual(expected)
      expect(yield* taking(({ lock }) => lock(webhook, account, webhook))).toEqual(expected)
      expect(yield* taking(({ lock }) => lock(webhook))).toEqual([expected[0], expected[2]])
    }))

  it.effect("are shared if it only reads the aggregates", () =>
    Effect.gen(function*() {
      expect(yield* taking(({ share }) => share(webhook, account))).toEqual([
        { key: "account:10", shared: true },
        { key: "webhook:9", shared: true }
      ])
    }))

  it.effect("exclude all other units if it changes everything", () =>
    Effect.gen(function*() {
      expect(yield* taking(({ lockAll }) => lockAll)).toEqual([{ key: "everything", shared: false }])
    }))

  it.effect("are a defect outside a unit of work, and none are taken", () =>
    Effect.gen(function*() {
      const { lock, taken } = locking()
      expect(yield* defectOf(lock([{ key: "account:1", shared: false }]))).toMatchObject({
        message: "Only a unit of work can lock an aggregate."
      })
      expect(taken).toEqual([])
    }))

  it.effect("are taken only if there are any, and an error of the database is a failure of storage", () =>
    Effect.gen(function*() {
      const { atomically, lock, taken } = noting("account:1")
      yield* atomically(lock([]))
      expect(taken).toEqual([])
      const failure = yield* Effect.flip(atomically(lock([{ key: "account:1", shared: false }])))
      expect(failure).toMatchObject({ message: "Storage failed: lock an aggregate", cause: "account:1" })
    }))
})

describe("the lock of two announcements of a change", () => {
  const keyOf = (webhookId: string, announcement: Announcement) =>
    Effect.gen(function*() {
      const { ports, taken } = locking()
      const now = DateTime.unsafeMake(0)
      yield* Effect.flatMap(WebhookRepository, ({ recordAnnouncement }) =>
        recordAnnouncement({
          webhookId: WebhookId.make(webhookId),
          announcement,
          announcedAt: now,
          announcedSince: now
        })).pipe(Effect.provide(ports))
      expect(taken.map(({ shared }) => shared)).toEqual([false])
      return taken[0]?.key
    })

  it.effect("is the same for both announcements", () =>
    Effect.gen(function*() {
      const create = yield* keyOf("1", { id: "create", counterpart: "push" })
      expect(create).toBe(yield* keyOf("1", { id: "push", counterpart: "create" }))
      expect(create).toBe("announcement:1:create:push")
    }))

  it.effect("differs for another webhook or another change", () =>
    Effect.gen(function*() {
      const keys = yield* Effect.all([
        keyOf("1", { id: "create", counterpart: "push" }),
        keyOf("2", { id: "create", counterpart: "push" }),
        keyOf("1", { id: "delete", counterpart: "push" })
      ])
      expect(new Set(keys).size).toBe(3)
    }))
})
