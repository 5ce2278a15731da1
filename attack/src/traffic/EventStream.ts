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
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const read = async (): Promise<void> => {
    const next = await reader?.read()
    text += next?.value ?? ""
    if (next?.done === false && idsIn(text).length < wanted) await read()
  }
  // After the timeout, the events that have arrived count.
  await read().catch(() => undefined)
  await reader?.cancel().catch(() => undefined)
  return idsIn(text)
}
