import { tombstone } from "@community-messaging/domain/account/Tombstone"
import { create, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Channel, ChannelId } from "@community-messaging/domain/guild/Channel"
import { Guild, GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { DateTime, Effect, Layer, Option } from "effect"
import assert from "node:assert/strict"
import { test } from "node:test"
import { Admissions } from "./Admissions.ts"

const ada = UserId.make("1")
const guildId = GuildId.make("2")

/** A guild of Ada's, without a channel. */
const founded = Effect.gen(function*() {
  yield* (yield* UserRepository).save(create({ id: ada, username: "ada" }))
  yield* (yield* GuildRepository).save(Guild.make({ id: guildId, name: "Kiln", ownerId: ada }))
})

const Service = Admissions.layer.pipe(
  Layer.provide(SnowflakeGenerator.layer(0)),
  Layer.provideMerge(StorageMemory.layer)
)

test("a member is added and welcomed, with an event for each", () =>
  Effect.gen(function*() {
    yield* founded
    yield* (yield* GuildRepository).saveChannel(Channel.make({ id: ChannelId.make("3"), guildId, name: "hall" }))
    const welcome = yield* (yield* Admissions).admit(guildId, ada)
    assert.equal(welcome.channelId, "3")
    assert.ok(Option.isSome(yield* (yield* MembershipRepository).find(guildId, ada)))
    const events = yield* EventStream.read(0, 10)
    assert.deepEqual(events.map(({ event }) => event._tag), ["member.joined", "message.created"])
  }).pipe(Effect.provide(Service), Effect.runPromise))

test("a deleted account is not admitted, and a member not twice", () =>
  Effect.gen(function*() {
    yield* founded
    yield* (yield* GuildRepository).saveChannel(Channel.make({ id: ChannelId.make("3"), guildId, name: "hall" }))
    const { admit } = yield* Admissions
    yield* admit(guildId, ada)
    assert.equal((yield* Effect.flip(admit(guildId, ada)))._tag, "AlreadyMember")
    const users = yield* UserRepository
    const bob = create({ id: UserId.make("4"), username: "bob" })
    yield* users.save(tombstone(bob, yield* DateTime.now))
    assert.equal((yield* Effect.flip(admit(guildId, bob.id)))._tag, "UnknownUser")
  }).pipe(Effect.provide(Service), Effect.runPromise))

test("where nobody can be welcomed nobody becomes a member", () =>
  Effect.gen(function*() {
    yield* founded
    const failure = yield* Effect.flip((yield* Admissions).admit(guildId, ada))
    assert.equal(failure._tag, "NowhereToWelcome")
    assert.ok(Option.isNone(yield* (yield* MembershipRepository).find(guildId, ada)))
  }).pipe(Effect.provide(Service), Effect.runPromise))
