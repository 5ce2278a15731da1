/*
 * Runs in every server before its own program: when the benchmark asks, it tells the processor time that the process took,
 * user and system, all threads, in microseconds.
 */

process.on("message", (message) => {
  if (message !== "processor time") return
  const { system, user } = process.cpuUsage()
  process.send?.({ processorMicros: user + system })
})
// The server ends as it would without this.
process.channel?.unref()
