import { type Runtime, Stream } from "effect"

/** Iterations over streams that have not ended. */
export type OpenIterations = Set<ReadableStreamDefaultReader<unknown>>

/**
 * Iterates over a stream, which is made and begins with each iteration. With the iterator of Effect, a call of `next` that
 * waits would wait for ever if the consumer leaves, or calls `next` again.
 */
export const iterate = <A, E, R>(
  stream: () => Stream.Stream<A, E, R>,
  runtime: Runtime.Runtime<R>,
  open: OpenIterations
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => {
    const reader = Stream.toReadableStreamRuntime(stream(), runtime, { strategy: { highWaterMark: 0 } }).getReader()
    open.add(reader)
    const forget = () => open.delete(reader)
    reader.closed.then(forget, forget)
    return {
      next: async () => {
        const { done, value } = await reader.read()
        return done ? { done, value: undefined } : { done, value }
      },
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      }
    }
  }
})

/** Ends all iterations: their next results are `done`. */
export const endAll = async (open: OpenIterations): Promise<void> => {
  // A stream that has just failed rejects, which its reader gets.
  await Promise.all(Array.from(open, (reader) => reader.cancel().catch(() => {})))
}
