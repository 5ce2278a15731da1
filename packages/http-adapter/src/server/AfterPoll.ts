/** Calls after the event loop has polled the sockets once. */
export const afterPoll = (call: () => void): void => {
  setImmediate(() => setImmediate(call))
}
