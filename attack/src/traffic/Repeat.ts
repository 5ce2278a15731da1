/** Repeats the work, that many at a time, until the time is over. */
export const repeatedly = async (
  millis: number,
  concurrency: number,
  work: (turn: number) => Promise<unknown>
): Promise<void> => {
  const end = performance.now() + millis
  let turns = 0
  const worker = async (): Promise<void> => {
    if (performance.now() >= end) return
    turns += 1
    await work(turns - 1)
    return worker()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
