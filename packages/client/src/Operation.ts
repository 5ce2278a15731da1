import type { ErrorCode } from "./Operations.ts"

/** How to send an operation of the API: a row of the table that is generated from the definition. */
export interface Operation {
  /** The group and the name, such as `webhooks.update`. */
  readonly id: string
  readonly method: string
  /** The path with its parameters in braces, such as `/v1/webhooks/{webhook_id}/{token}`. */
  readonly path: string
  /** The names of the query parameters. */
  readonly query: ReadonlyArray<string>
  /** The names of the header parameters. */
  readonly headers: ReadonlyArray<string>
  /** Whether there is a body. */
  readonly body: boolean
  /** The credentials in the `Authorization` header. The token of a webhook is in the path. */
  readonly credentials: "bot" | "admin" | "none"
  /** The statuses of a success. */
  readonly success: ReadonlyArray<number>
  /** The kind of a success response. */
  readonly response: "json" | "nothing" | "events"
  /** Whether repeating a request has no further effect. */
  readonly idempotent: boolean
  /** The codes of the errors. */
  readonly errors: ReadonlyArray<ErrorCode>
}
