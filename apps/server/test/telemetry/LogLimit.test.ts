import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SettableClock } from "../../../../test/SettableClock.ts"
import * as LogLimit from "../../src/telemetry/LogLimit.ts"

/** Logs at most a line a minute. Returns how many lines each of the calls has logged. */
const logging = (clock: SettableClock, pauses: ReadonlyArray<Duration.DurationInput>, wallSetBy = 0) =>
  Effect.gen(function*() {
    const sometimes = yield* LogLimit.make(Duration.minutes(1))
    let lines = 0
    const log = sometimes(Effect.sync(() => {
      lines += 1
    }))
    yield* log
    clock.setWall(wallSetBy)
    return yield* Effect.forEach(pauses, (pause) =>
      Effect.suspend(() => {
        clock.pass(pause)
        return Effect.map(log, () => lines)
      }))
  }).pipe(Effect.withClock(clock))

const DAY = Duration.toMillis("1 day")

describe("a limit of log lines", () => {
  it.effect("logs the first line, and later ones only after the interval", () =>
    Effect.gen(function*() {
      expect(yield* logging(new SettableClock(), ["0 millis", "59999 millis", "1 millis", "59 seconds", "1 second"]))
        .toEqual([1, 1, 2, 2, 3])
    }))

  it.effect.each([-DAY, DAY])(
    "does the same when the wall clock is set by %d milliseconds",
    (distance) =>
      Effect.gen(function*() {
        expect(yield* logging(new SettableClock(), ["59999 millis", "1 millis"], distance)).toEqual([1, 2])
      })
  )
})
