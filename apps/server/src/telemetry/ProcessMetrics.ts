import { Effect, Metric, type Scope } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"

/*
 * The metrics of the process, named as Prometheus clients name them, so that common dashboards fit.
 */

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "Processor time of the process, in user and system mode.",
  incremental: true
})
const startTime = gauge("process_start_time_seconds", "When the process started, in Unix seconds.")
const residentMemory = gauge("process_resident_memory_bytes", "Memory of the process.")
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Memory of live and dead JavaScript objects.")
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Memory that is reserved for JavaScript objects.")
const external = gauge("nodejs_external_memory_bytes", "Memory of buffers and of other objects outside the heap.")
const utilization = gauge(
  "nodejs_eventloop_utilization_ratio",
  "Share of the time since the last collection in which the event loop was busy. At 1, requests wait."
)
const lags = [
  { percentile: 50, metric: gauge("nodejs_eventloop_lag_p50_seconds", "Median delay of a timer.") },
  { percentile: 99, metric: gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of the delay of a timer.") },
  { percentile: 100, metric: gauge("nodejs_eventloop_lag_max_seconds", "Longest delay of a timer.") }
]

/** How often the event loop's delay is measured, in milliseconds. */
const RESOLUTION = 20

/** Measures from now on. The effect updates the metrics; delays and shares are those since its last run. */
export const make: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  ),
  (delays) => {
    let lastCpu = 0
    let lastUtilization = performance.eventLoopUtilization()
    startTime.unsafeUpdate(Math.round(performance.timeOrigin) / 1000, [])
    return Effect.sync(() => {
      const { system, user } = process.cpuUsage()
      cpu.unsafeUpdate((user + system) / 1e6 - lastCpu, [])
      lastCpu = (user + system) / 1e6

      const memory = process.memoryUsage()
      residentMemory.unsafeUpdate(memory.rss, [])
      heapUsed.unsafeUpdate(memory.heapUsed, [])
      heapTotal.unsafeUpdate(memory.heapTotal, [])
      external.unsafeUpdate(memory.external, [])

      utilization.unsafeUpdate(performance.eventLoopUtilization(lastUtilization).utilization, [])
      lastUtilization = performance.eventLoopUtilization()
      for (const { metric, percentile } of lags) {
        // The histogram has whole intervals; the delay is what exceeds them.
        const millis = delays.count === 0 ? 0 : delays.percentile(percentile) / 1e6
        metric.unsafeUpdate(Math.max(0, millis - RESOLUTION) / 1000, [])
      }
      delays.reset()
    })
  }
)
