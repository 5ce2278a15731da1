import { BadRequest, HeadersTooLarge, PayloadTooLarge, RequestTimeout } from "../../wire/ApiError.ts"
import * as Reply from "../replies/Reply.ts"

/*
 * The replies for bytes that Node's HTTP parser rejects. Node reports an error code: its own, or one of llhttp, which begins
 * with `HPE_`.
 */

/** The code of bytes after a request with `Connection: close`. */
export const AFTER_LAST_REQUEST = "HPE_CLOSED_CONNECTION"

const CLOSE = { connection: "close" }

/** Returns the reply to a rejected request; undefined if the connection failed, so that the client cannot read a reply. */
export const toReply = (code: string | undefined): Reply.Reply | undefined => {
  if (code === undefined) return undefined
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return Reply.ofError(new HeadersTooLarge(), CLOSE)
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return Reply.ofError(new PayloadTooLarge({ message: "The chunk extensions of the body are too large." }), CLOSE)
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return Reply.ofError(new RequestTimeout(), CLOSE)
    default:
      return code.startsWith("HPE_") ? Reply.ofError(new BadRequest(), CLOSE) : undefined
  }
}
