import type { IncomingMessage, ServerResponse } from "node:http"

/*
 * A client that sends `Expect: 100-continue` waits for a 100 before it sends the body (RFC 9110, 10.1.1). It gets the 100
 * when the body is about to be read: after authentication, and not at all if the request is refused before that.
 */

const responses = new WeakMap<IncomingMessage, ServerResponse>()

/** Remembers that the client waits. */
export const remember = (source: IncomingMessage, target: ServerResponse): void => {
  responses.set(source, target)
}

/** Returns whether the client still waits. */
export const isOpen = (source: IncomingMessage): boolean => source.headers.expect !== undefined && responses.has(source)

/** Sends the 100 if the client waits for it. */
export const meet = (source: IncomingMessage): void => {
  if (source.headers.expect === undefined) return
  responses.get(source)?.writeContinue()
  responses.delete(source)
}
