import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Snowflake, TIMESTAMP_SHIFT } from "../../src/shared-kernel/Snowflake.ts"
import { contradictingEpoch, requireEpochOfData } from "../../src/shared-kernel/SnowflakeEpochCheck.ts"

const DAY = 24 * 60 * 60 * 1000
const EPOCH_2015 = Date.UTC(2015, 0, 1)
const EPOCH_2020 = Date.UTC(2020, 0, 1)
const SUMMER = Date.UTC(2026, 6, 1)

/** An id that was generated at this time, counted from this epoch, and the time in its entity. */
const generated = (at: number, epoch: number, field = at) => ({
  id: Snowflake.make((BigInt(at - epoch) << TIMESTAMP_SHIFT).toString()),
  createdAt: DateTime.unsafeMake(field)
})

describe("ids and the times of their entities", () => {
  it("do not contradict the epoch if the clock was a little wrong", () => {
    expect(contradictingEpoch([generated(SUMMER, EPOCH_2015, SUMMER + DAY)], EPOCH_2015)).toEqual(Option.none())
  })

  it("contradict the epoch if they all imply another one", () => {
    const dated = [generated(SUMMER, EPOCH_2015), generated(SUMMER + DAY, EPOCH_2015, SUMMER + DAY + 3)]
    expect(contradictingEpoch(dated, EPOCH_2020)).toEqual(Option.some(EPOCH_2015))
  })

  it("do not contradict the epoch if one of them fits, because others may be imported", () => {
    const dated = [generated(SUMMER, EPOCH_2015 + 1.5 * DAY), generated(SUMMER, EPOCH_2015 + 0.8 * DAY)]
    expect(contradictingEpoch(dated, EPOCH_2015)).toEqual(Option.none())
  })

  it("imply one epoch if they differ by a day, and not if they differ by more", () => {
    const differingBy = (millis: number) =>
      contradictingEpoch([generated(SUMMER, EPOCH_2015), generated(SUMMER, EPOCH_2015 + millis)], EPOCH_2020)
    expect(differingBy(DAY)).toEqual(Option.some(EPOCH_2015))
    expect(differingBy(DAY + 1)).toEqual(Option.none())
  })

  it("are compared from a day after the epoch", () => {
    const aged = (millis: number) => contradictingEpoch([generated(EPOCH_2015 + millis, EPOCH_2015)], EPOCH_2020)
    expect(aged(DAY)).toEqual(Option.some(EPOCH_2015))
    expect(aged(DAY - 1)).toEqual(Option.none())
  })

  it("imply nothing if the ids are small numbers, or if there are none", () => {
    const byHand = { id: Snowflake.make("801"), createdAt: DateTime.unsafeMake(SUMMER) }
    expect(contradictingEpoch([byHand], EPOCH_2015)).toEqual(Option.none())
    expect(contradictingEpoch([], EPOCH_2015)).toEqual(Option.none())
  })
})

describe("the epoch of a storage", () => {
  it.effect("is the one of the first start; later starts with another one fail", () =>
    Effect.gen(function*() {
      yield* requireEpochOfData(EPOCH_2015)
      yield* requireEpochOfData(EPOCH_2015)
      const mismatch = yield* Effect.flip(requireEpochOfData(EPOCH_2020))
      expect(mismatch).toMatchObject({ _tag: "SnowflakeEpochMismatch", configured: EPOCH_2020, ofData: EPOCH_2015 })
      expect(mismatch.message).toBe(
        "The epoch of ids is 2020-01-01T00:00:00.000Z, " +
          "but the ids of the existing data count from 2015-01-01T00:00:00.000Z."
      )
    }).pipe(Effect.provide(StorageMemory.layer)))
})
