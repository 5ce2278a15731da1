/*
 * Runs in every server before its program. On request, it sends the benchmark the processor time of the process: user and
 * system, all threads, in microseconds.
 */

process.on("message", (message) => {
  if (message !== "processor time") return
  const { system, user } = process.cpuUsage()
  process.send?.({ processorMicros: user + system })
})
// The channel does not keep the server running.
process.channel?.unref()
