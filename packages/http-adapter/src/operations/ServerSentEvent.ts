import type { EventResource } from "./EventResource.ts"

/** A comment, which clients ignore. */
export const HEARTBEAT = ":\n\n"

/**
 * The beginning of a stream: a comment, and the number after which it continues. A client that loses its connection before
 * the first event resumes there.
 */
export const beginning = (position: number): string => `:\nid: ${position}\n\n`

/** Renders an event of the stream (WHATWG HTML, 9.2.5). JSON text has no line breaks. */
export const block = (event: EventResource): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
