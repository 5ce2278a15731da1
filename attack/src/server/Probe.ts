import { openSync, readSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

/*
 * Runs in the server process before the server: node --import Probe.js main.js. Measures how long the event loop is blocked
 * (a hold), and sends the figures to its parent on request. A timer of few milliseconds is late by the length of a hold.
 *
 * The machine has other work, so a late timer alone proves nothing. The kernel counts, for each thread, the time on a
 * processor and the time of waiting for one (/proc/…/schedstat). A hold does not include that waiting.
 */

const INTERVAL_MILLIS = 2

const monitor = monitorEventLoopDelay({ resolution: INTERVAL_MILLIS })
monitor.enable()

/** Holds of the event loop in milliseconds: without waiting for a processor, and on a processor. */
let holds: Array<number> = []
let longestProcessorTime = 0

const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, "r")
const text = Buffer.alloc(96)

/** The processor time of the main thread, and its time of waiting for a processor, in milliseconds. */
const threadTimes = () => {
  const [processor = "0", waiting = "0"] = text.toString("latin1", 0, readSync(schedule, text, 0, text.length, 0))
    .split(" ")
  return { processor: Number(processor) / 1e6, waiting: Number(waiting) / 1e6 }
}

let lastTick = performance.now()
let lastTimes = threadTimes()

setInterval(() => {
  const now = performance.now()
  const times = threadTimes()
  holds.push(Math.max(0, now - lastTick - INTERVAL_MILLIS - (times.waiting - lastTimes.waiting)))
  longestProcessorTime = Math.max(longestProcessorTime, times.processor - lastTimes.processor)
  lastTick = now
  lastTimes = times
}, INTERVAL_MILLIS).unref()

process.on("message", (message) => {
  if (message === "begin") {
    monitor.reset()
    holds = []
    longestProcessorTime = 0
  } else if (message === "end") {
    process.send?.({
      holds,
      longestProcessorTime,
      longestDelay: monitor.max / 1e6
    })
  }
})
// The channel does not keep the server running.
process.channel?.unref()
