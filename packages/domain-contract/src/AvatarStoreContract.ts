import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { type Avatar, AvatarContentType, AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, type Layer, Option } from "effect"
import { RUNS } from "./Arbitraries.ts"
import * as FreshIds from "./FreshIds.ts"
import { pages } from "./Paging.ts"
import * as Samples from "./Samples.ts"

/** The avatar as plain data, whatever kind of byte array it comes in. */
const plain = ({ animated, bytes, contentType, hash }: Avatar) => ({ animated, bytes: [...bytes], contentType, hash })

/** What `AvatarStore` promises. */
export const avatarStoreContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("AvatarStore", () => {
    it.layer(storage)((it) => {
      it.effect.prop(
        "an avatar is found with its bytes and what they are",
        {
          bytes: FastCheck.uint8Array({ maxLength: 2000 }),
          contentType: FastCheck.constantFrom(...AvatarContentType.literals),
          animated: FastCheck.boolean()
        },
        ({ animated, bytes, contentType }) =>
          Effect.gen(function*() {
            const avatars = yield* AvatarStore
            const avatar = Samples.avatar({ bytes, contentType, animated })
            yield* avatars.put(avatar)
            expect(Option.map(yield* avatars.find(avatar.hash), plain)).toEqual(Option.some(plain(avatar)))
          }),
        RUNS
      )
    })

    it.effect("an avatar that was never kept is not found", () =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        yield* avatars.put(Samples.avatar())
        expect(yield* avatars.find(FreshIds.avatarHash())).toEqual(Option.none())
      }).pipe(Effect.provide(storage)))

    it.effect("an avatar of a megabyte is kept whole", () =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const bytes = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 31 + (index >> 8)) % 256)
        const avatar = Samples.avatar({ bytes })
        yield* avatars.put(avatar)
        const found = Option.getOrThrow(yield* avatars.find(avatar.hash)).bytes
        expect([found.length, found.every((byte, index) => byte === bytes[index])]).toEqual([bytes.length, true])
      }).pipe(Effect.provide(storage)))

    it.effect("keeping an avatar again is no error", () =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const avatar = Samples.avatar()
        yield* avatars.put(avatar)
        yield* avatars.put(avatar)
        expect(Option.map(yield* avatars.find(avatar.hash), plain)).toEqual(Option.some(plain(avatar)))
      }).pipe(Effect.provide(storage)))

    it.effect("what is written to the caller's bytes later does not change the avatar", () =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const bytes = Uint8Array.of(1, 2, 3)
        const avatar = Samples.avatar({ bytes })
        yield* avatars.put(avatar)
        bytes.fill(0)
        Option.getOrThrow(yield* avatars.find(avatar.hash)).bytes.fill(9)
        expect(Option.map(yield* avatars.find(avatar.hash), (found) => [...found.bytes])).toEqual(
          Option.some([1, 2, 3])
        )
      }).pipe(Effect.provide(storage)))

    it.effect("hashes are listed in the order of their characters, page by page", () =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const hashes = [`a_${"0".repeat(32)}`, "f".repeat(32), "a".repeat(32), "9".repeat(32), `a_${"f".repeat(32)}`]
        yield* Effect.forEach(hashes, (hash) => avatars.put(Samples.avatar({ hash: AvatarHash.make(hash) })))
        expect(
          yield* pages({
            page: (after, limit) => avatars.list({ after, limit }),
            key: (hash: AvatarHash) => hash,
            limit: 2
          })
        )
          .toEqual([
            ["9".repeat(32), `a_${"0".repeat(32)}`],
            [`a_${"f".repeat(32)}`, "a".repeat(32)],
            ["f".repeat(32)]
          ])
      }).pipe(Effect.provide(storage)))
  })
