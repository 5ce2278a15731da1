import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { Clock, DateTime, Duration, Effect, type Scope } from "effect"

/** Waits for a turn of the event loop, in which background work continues. */
export const realTurn = Effect.withClock(Effect.sleep("1 millis"), realTime)

/**
 * A clock that a test sets. Effect's TestClock waits at each step until all fibers sleep, for some milliseconds of real
 * time. In these tests no fiber sleeps, and they set the clock thousands of times. If a fiber sleeps, it sleeps in real
 * time.
 */
class MovedClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  private millis: number

  constructor(start: DateTime.Utc) {
    this.millis = DateTime.toEpochMillis(start)
  }

  unsafeCurrentTimeMillis(): number {
    return this.millis
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.millis) * 1_000_000n
  }

  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return realTime.sleep(duration)
  }

  setTo(millis: number): void {
    this.millis = millis
  }
}

/** Sets the clock to this time while the scope is open. */
export const startAt = (start: DateTime.Utc): Effect.Effect<void, never, Scope.Scope> =>
  Effect.suspend(() => Effect.withClockScoped(new MovedClock(start)))

const move = (to: (millis: number) => number): Effect.Effect<void> =>
  Effect.clockWith((clock) =>
    clock instanceof MovedClock
      ? Effect.sync(() => clock.setTo(to(clock.unsafeCurrentTimeMillis())))
      : Effect.dieMessage("A test cannot move this clock.")
  )

/** Sets the clock to this time, in Unix milliseconds. */
export const setTime = (millis: number): Effect.Effect<void> => move(() => millis)

/** Moves the clock forward by this duration. */
export const adjust = (duration: Duration.DurationInput): Effect.Effect<void> =>
  move((millis) => millis + Duration.toMillis(duration))
