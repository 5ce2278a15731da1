import { TOKEN } from "../community/Community.ts"
import type { ServerProcess } from "../server/ServerProcess.ts"

const TIMEOUT_MILLIS = 30_000

const idsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/"type":"user\.deleted".*?"user_id":"(\d+)"/g), ([, id]) => id ?? "")

/**
 * The ids of the accounts with a deletion in the log of events, one for each event. Waits for the wanted number, up to the
 * timeout.
 */
export const deletedUsers = async ({ origin }: ServerProcess, wanted: number): Promise<ReadonlyArray<string>> => {
  const response = await fetch(`${origin}/v1/admin/events`, {
    headers: { authorization: `Admin ${TOKEN.admin}` },
    signal: AbortSignal.timeout(TIMEOUT_MILLIS)
  })
  let text = ""
  try {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (idsIn(text).length >= wanted) break
    }
  } catch {
    // After the timeout, the events that have arrived count.
  }
  return idsIn(text)
}
