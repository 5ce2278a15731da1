import { describe, expect, it } from "@effect/vitest"
import { DateTime, Option, Predicate, Schema, SchemaAST } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DeletionReasonCode, UserId } from "../../src/account/User.ts"
import { UserDeletionScheduled } from "../../src/account/UserEvents.ts"
import { DomainEvent, isDomainEvent } from "../../src/event/DomainEvent.ts"

const sources = join(import.meta.dirname, "../../src")

/** Returns the exports of a module of the domain. */
const exportsOf = async (name: string): Promise<ReadonlyArray<unknown>> => {
  const module: unknown = await import(`@community-messaging/domain/${name}`)
  return Object.values(Predicate.isRecord(module) ? module : {})
}

/** The schemas that the files of events export. */
const declared = (await Promise.all(
  readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("Events.ts"))
    .map(async (path) => exportsOf(path.replaceAll("\\", "/").slice(0, -".ts".length)))
)).flat().filter(Schema.isSchema)

const typeOf = ({ ast }: Schema.Schema.Any): string => Option.getOrThrow(SchemaAST.getIdentifierAnnotation(ast))

const AsJson = Schema.parseJson(DomainEvent)
const encode = Schema.encodeSync(AsJson)
const decode = Schema.decodeSync(AsJson)
const same = Schema.equivalence(DomainEvent)

describe("events", () => {
  it("are exactly those that the folders declare", () => {
    expect(new Set<unknown>(DomainEvent.members)).toEqual(new Set<unknown>(declared))
  })

  it("have these types, on which readers rely", () => {
    expect(DomainEvent.members.map(typeOf).sort()).toEqual([
      "consent.granted",
      "member.joined",
      "member.left",
      "member.updated",
      "message.created",
      "scheduled_message.updated",
      "user.deleted",
      "user.deletion_cancelled",
      "user.deletion_scheduled",
      "user.updated",
      "webhook.deleted",
      "webhook.updated"
    ])
  })

  it("are distinguished by their type", () => {
    expect(isDomainEvent({ _tag: "user.invented", version: 1 })).toBe(false)
  })

  for (const schema of DomainEvent.members) {
    const type = typeOf(schema)
    it.prop(`of type ${type} are the same after encoding and decoding`, { event: schema }, ({ event }) => {
      expect(event).toMatchObject({ _tag: type, version: 1 })
      expect(isDomainEvent(event)).toBe(true)
      expect(same(decode(encode(event)), event)).toBe(true)
    })
  }

  it("are plain JSON without fields that have no value", () => {
    const event = UserDeletionScheduled.make({
      version: 1,
      userId: UserId.make("7"),
      pendingDeletionAt: DateTime.unsafeMake("2027-03-15T12:00:00Z"),
      reasonCode: DeletionReasonCode.make(4)
    })
    expect(JSON.parse(encode(event))).toEqual({
      _tag: "user.deletion_scheduled",
      version: 1,
      userId: "7",
      pendingDeletionAt: "2027-03-15T12:00:00.000Z",
      reasonCode: 4
    })
  })
})
