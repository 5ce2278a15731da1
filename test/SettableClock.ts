import { Clock, Duration, Effect } from "effect"

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/** The clocks of an operating system: time passes on the wall clock and the monotonic clock, and the former can be set. */
export class SettableClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  #wallMillis = Date.UTC(2027, 0, 1)
  #monotonicMillis = 5_000
  #sleepers: ReadonlyArray<Sleeper> = []

  /** Lets that much time pass. */
  pass(duration: Duration.DurationInput): void {
    this.#wallMillis += Duration.toMillis(duration)
    this.#monotonicMillis += Duration.toMillis(duration)
    const rested = this.#sleepers.filter(({ until }) => until <= this.#monotonicMillis)
    this.#sleepers = this.#sleepers.filter((sleeper) => !rested.includes(sleeper))
    for (const { wake } of rested) wake()
  }

  /** Sets the wall clock ahead, or back. */
  setWall(distanceMillis: number): void {
    this.#wallMillis += distanceMillis
  }

  unsafeCurrentTimeMillis(): number {
    return this.#wallMillis
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.#monotonicMillis) * 1_000_000n
  }

  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async((resume) => {
      const until = this.#monotonicMillis + Duration.toMillis(duration)
      this.#sleepers = [...this.#sleepers, { until, wake: () => resume(Effect.void) }]
    })
  }
}
