import { RequestFailed, send } from "./Api.ts"

/** An event of the server. */
interface StreamedEvent {
  readonly type: string
  readonly data: unknown
}

/** Whether events arrive. */
export type Connection = "connecting" | "live" | "lost"

/** The receiver of events. */
export interface Listener {
  readonly onEvent: (event: StreamedEvent) => void
  readonly onConnection: (connection: Connection, reason: string) => void
}

const FIRST_PAUSE_MILLIS = 500
const LONGEST_PAUSE_MILLIS = 15_000

/** Reads server-sent events (WHATWG HTML, 9.2.6) from the received text. Returns the incomplete rest. */
const take = (received: string, onBlock: (fields: ReadonlyMap<string, string>) => void): string => {
  const blocks = received.split("\n\n")
  const rest = blocks.pop() ?? ""
  for (const block of blocks) {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const
      })
    )
    if (fields.has("data")) onBlock(fields)
  }
  return rest
}

const pause = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

/**
 * Reads all past and future events without an end, and continues after the last one when the connection is lost. The
 * browser's own `EventSource` cannot send the credentials.
 */
export const read = async (adminKey: string, { onConnection, onEvent }: Listener): Promise<never> => {
  let last: string | undefined
  let wait = FIRST_PAUSE_MILLIS

  const readOnce = async (): Promise<void> => {
    const response = await send({
      path: "v1/admin/events",
      authorization: `Admin ${adminKey}`,
      headers: last === undefined ? {} : { "last-event-id": last }
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) return
    onConnection("live", "Live")
    wait = FIRST_PAUSE_MILLIS
    let rest = ""
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest = take(rest + value, (fields) => {
        last = fields.get("id") ?? last
        onEvent({ type: fields.get("event") ?? "", data: JSON.parse(fields.get("data") ?? "null") })
      })
    }
  }

  for (;;) {
    const reason = await readOnce().then(
      () => "Disconnected",
      (cause: unknown) => cause instanceof RequestFailed && cause.status === 429 ? "Too many windows" : "Disconnected"
    )
    onConnection("lost", reason)
    await pause(wait)
    wait = Math.min(wait * 2, LONGEST_PAUSE_MILLIS)
  }
}
