import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as Domain from "@community-messaging/domain/UseCases"
import { InvalidAvatarImage } from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Context, DateTime, Effect, Layer } from "effect"
import * as Faults from "./Faults.ts"
import * as Time from "./Time.ts"

/** The time at which these tests begin. */
export const START = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

/** FNV-1a of the bytes in 32 bits, with this basis. */
const fnv = (bytes: Uint8Array, basis: number): number => {
  let hash = basis
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Bytes that the inspector of these tests recognises as a still PNG. The number distinguishes images. */
export const still = (number: number): Uint8Array => Uint8Array.of(1, number)

const inspect = (bytes: Uint8Array) =>
  bytes[0] === 1
    ? Effect.succeed({ contentType: "image/png", animated: false } as const)
    : Effect.fail(new InvalidAvatarImage())

/** The platform of one server for tests: simple and deterministic. */
const platform = (worker: number) =>
  Layer.effectContext(Effect.sync(() => {
    let calls = 0
    return Context.empty().pipe(
      // A digest of 64 digits that differs if the data differs is enough here.
      Context.add(Digest, {
        sha256Hex: (data) => {
          const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data
          const parts = Array.from({ length: 8 }, (_, part) => fnv(bytes, 0x811c9dc5 + part))
          return parts.map((part) => part.toString(16).padStart(8, "0")).join("")
        }
      }),
      // Bytes that are different in each call and on each server, and the same in each run of a test.
      Context.add(SecureRandom, {
        bytes: (count) =>
          Effect.sync(() => {
            calls += 1
            return Uint8Array.from(
              { length: count },
              (_, index) => index < 4 ? (calls >>> (index * 8)) & 0xff : index === 4 ? worker : index
            )
          })
      }),
      Context.add(ImageInspector, { inspect })
    )
  }))

/** The use cases of one server, whose snowflakes have this worker number. `Faults` decides which of its ports fail. */
export const useCases = (worker: number) =>
  Domain.layer.pipe(
    Layer.provide(Faults.ports),
    Layer.provide(SnowflakeGenerator.layer(worker)),
    Layer.provideMerge(platform(worker))
  )

/** The use cases of a server, and its platform. */
export type UseCases = Layer.Layer.Success<ReturnType<typeof useCases>>

/** Runs each test from `START` on, with the use cases over a new, empty storage. */
export const inOwnWorld = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const world = Layer.provideMerge(useCases(1), storage)
  return <A, E2, R>(test: Effect.Effect<A, E2, R>) =>
    Time.startAt(START).pipe(Effect.zipRight(test), Effect.scoped, Effect.provide(world))
}

/** Two connections to one storage, as two servers have them. */
export type TwoConnections<E, R> = Effect.Effect<
  readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>],
  E,
  R
>

/** Two servers: each has its own use cases and its own connection to one storage. */
export interface TwoServers {
  readonly first: Context.Context<UseCases | StoragePorts>
  readonly second: Context.Context<UseCases | StoragePorts>
}

/** Makes two servers over the connections, at the time `START`. */
export const twoServers = <E, R>(connections: TwoConnections<E, R>) =>
  Effect.gen(function*() {
    yield* Time.startAt(START)
    const [one, other] = yield* connections
    const server = (worker: number, connection: Context.Context<StoragePorts>) =>
      Layer.build(Layer.provideMerge(useCases(worker), Layer.succeedContext(connection)))
    return { first: yield* server(1, one), second: yield* server(2, other) }
  })
