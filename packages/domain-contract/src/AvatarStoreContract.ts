import { type EmailAlreadyInUse, UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Option } from "effect"
import { type Port, portContract } from "./OwnPorts.ts"
import { pages } from "./Paging.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

/** Assigns the webhook's avatar to another entity. */
type Use = (webhook: Webhook) => Effect.Effect<unknown, EmailAlreadyInUse | StorageError, StoragePorts>

/** The contract of `AvatarStore`. */
export const avatarStoreContract = portContract<AvatarStore>("AvatarStore", ({ has, it }) => {
  it("an avatar of a megabyte is stored completely", function*() {
    const avatars = yield* AvatarStore
    const bytes = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 31 + (index >> 8)) % 256)
    const avatar = Samples.avatar({ bytes })
    yield* avatars.put(avatar)
    const found = Option.getOrThrow(yield* avatars.find(avatar.hash)).bytes
    expect([found.length, found.every((byte, index) => byte === bytes[index])]).toEqual([bytes.length, true])
  })

  it("a later change of the caller's bytes does not change the avatar", function*() {
    const avatars = yield* AvatarStore
    const bytes = Uint8Array.of(1, 2, 3)
    const avatar = Samples.avatar({ bytes })
    yield* avatars.put(avatar)
    bytes.fill(0)
    Option.getOrThrow(yield* avatars.find(avatar.hash)).bytes.fill(9)
    expect(Option.map(yield* avatars.find(avatar.hash), (found) => [...found.bytes])).toEqual(
      Option.some([1, 2, 3])
    )
  })

  describe("an avatar that is replaced", () => {
    /** A webhook with an avatar. Returns whether the avatar still exists after the change. */
    const keptAfter = <E2, R>(change: (webhook: Webhook) => Effect.Effect<unknown, E2, R>) =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const avatar = Samples.avatar()
        yield* avatars.put(avatar)
        const webhook = yield* Saved.webhook({ avatar: Option.some(avatar.hash) })
        yield* change(webhook)
        return Option.isSome(yield* avatars.find(avatar.hash))
      })

    const withoutAvatar = (webhook: Webhook) =>
      Effect.flatMap(WebhookRepository, ({ save }) => save({ ...webhook, avatar: Option.none() }))

    const postedBy = ({ avatar, channelId, guildId, id, name }: Webhook) =>
      Effect.flatMap(
        MessageRepository,
        ({ insert }) =>
          insert(Samples.message({ channelId, guildId, author: { _tag: "Webhook", webhookId: id, name, avatar } }))
      )

    const remove = ({ id }: Webhook) => Effect.flatMap(WebhookRepository, (webhooks) => webhooks.remove(id))

    const ends: ReadonlyArray<readonly [name: string, end: Use, ports: ReadonlyArray<Port>]> = [
      ["webhook's change", withoutAvatar, [WebhookRepository]],
      ["webhook", remove, [WebhookRepository]],
      [
        "account's change",
        (webhook) =>
          Effect.gen(function*() {
            const user = yield* Saved.user({ avatar: webhook.avatar })
            yield* withoutAvatar(webhook)
            yield* (yield* UserRepository).save({ ...user, avatar: Option.none() })
          }),
        [UserRepository]
      ]
    ]

    it.each(ends.filter(([, , ports]) => has(...ports)))("is removed with its last %s", function*([, end]) {
      expect(yield* keptAfter(end)).toBe(false)
    })

    const uses: ReadonlyArray<readonly [name: string, use: Use]> = [
      ["another webhook", ({ avatar }) => Saved.webhook({ avatar })],
      ["an account", ({ avatar }) => Saved.user({ avatar })],
      ["a message", postedBy]
    ]

    it.each(
      Arrays.cartesian(uses, [["changes", withoutAvatar], ["is removed", remove]] as const).map(
        ([[user, use], [what, end]]) => ({ user, use, what, end })
      )
    )("stays if its webhook $what and $user refers to it", function*({ end, use }) {
      expect(yield* keptAfter((webhook) => Effect.zipRight(use(webhook), end(webhook)))).toBe(true)
    })

    it("stays if only the name of its webhook changes", function*() {
      const webhooks = yield* WebhookRepository
      const kept = yield* keptAfter((webhook) => webhooks.save({ ...webhook, name: WebhookName.make("Builds") }))
      expect(kept).toBe(true)
    })
  })

  it("hashes are listed in the order of their characters, page by page", function*() {
    const avatars = yield* AvatarStore
    const hashes = [`a_${"0".repeat(32)}`, "f".repeat(32), "a".repeat(32), "9".repeat(32), `a_${"f".repeat(32)}`]
    yield* Effect.forEach(hashes, (hash) => avatars.put(Samples.avatar({ hash: AvatarHash.make(hash) })))
    expect(yield* pages({ page: avatars.list, key: (hash) => hash, limit: 2 })).toEqual([
      ["9".repeat(32), `a_${"0".repeat(32)}`],
      [`a_${"f".repeat(32)}`, "a".repeat(32)],
      ["f".repeat(32)]
    ])
  })
})
