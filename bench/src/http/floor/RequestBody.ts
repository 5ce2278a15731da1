import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import * as Reply from "./Reply.ts"

const JSON_TYPE = /^application\/(?:[^\s/;]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i

/** The refusal of a body by its headers, if any. */
const refusalOf = ({ headers }: IncomingMessage, limit: number): Reply.Reply | undefined => {
  const type = headers["content-type"]
  if (type !== undefined && type !== "application/json" && !JSON_TYPE.test(type)) return Reply.UNSUPPORTED_MEDIA_TYPE
  if ((headers["content-encoding"] ?? "identity") !== "identity") return Reply.UNSUPPORTED_MEDIA_TYPE
  return Number(headers["content-length"] ?? 0) > limit ? Reply.PAYLOAD_TOO_LARGE : undefined
}

const parsed = (bytes: Buffer, onValue: (value: unknown) => void, onRefusal: (reply: Reply.Reply) => void): void => {
  if (!isUtf8(bytes)) return onRefusal(Reply.INVALID_JSON)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString("utf8"))
  } catch {
    return onRefusal(Reply.INVALID_JSON)
  }
  onValue(value)
}

/** Reads a body that is JSON in UTF-8, of at most that many bytes. */
export const read = (
  request: IncomingMessage,
  limit: number,
  onValue: (value: unknown) => void,
  onRefusal: (reply: Reply.Reply) => void
): void => {
  const refusal = refusalOf(request, limit)
  if (refusal !== undefined) return onRefusal(refusal)
  const pieces: Array<Buffer> = []
  let length = 0
  request.on("data", (piece: Buffer) => {
    const wasWithin = length <= limit
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else if (wasWithin) onRefusal(Reply.PAYLOAD_TOO_LARGE)
  })
  request.on("end", () => {
    if (length > limit) return
    const [only] = pieces
    parsed(pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length), onValue, onRefusal)
  })
}
