/** A response; its body is JSON. */
export interface Reply {
  readonly status: number
  readonly body?: string
  /** The scheme of the credentials that are missing or wrong. */
  readonly scheme?: "Bot" | "Admin"
}

/** A reply of JSON. */
export const json = (status: number, value: unknown): Reply => ({ status, body: JSON.stringify(value) })

const refusal = (status: number, code: string, message: string): Reply => json(status, { code, message })

/** Success without a body. */
export const NO_CONTENT: Reply = { status: 204 }

export const ACCESS_DENIED = refusal(403, "ACCESS_DENIED", "This is not the token of the webhook.")
export const ACCOUNT_SCHEDULED_FOR_DELETION = refusal(
  403,
  "ACCOUNT_SCHEDULED_FOR_DELETION",
  "The account is scheduled for deletion: its tokens do not work."
)
export const CONFLICT = refusal(409, "CONFLICT", "A system account cannot be deleted.")
export const INTERNAL_SERVER_ERROR = refusal(500, "INTERNAL_SERVER_ERROR", "Something went wrong on our side.")
export const INVALID_CLIENT = refusal(400, "INVALID_CLIENT", "There is no such application.")
/** Unlike the service, the floor does not list the violations. */
export const INVALID_FORM_BODY = json(400, {
  code: "INVALID_FORM_BODY",
  message: "The request is not valid: see errors.",
  errors: []
})
export const INVALID_JSON = refusal(400, "INVALID_JSON", "The body is empty, or is not JSON in UTF-8.")
export const INVALID_REDIRECT_URI = refusal(
  400,
  "INVALID_REDIRECT_URI",
  "The redirect URI is not registered, or is missing although it is required."
)
export const INVALID_SCOPE = refusal(400, "INVALID_SCOPE", "The scope is unknown, malformed or empty.")
export const MISSING_ACL = refusal(403, "MISSING_ACL", "The admin key lacks the access control for this operation.")
export const MISSING_PERMISSIONS = refusal(
  403,
  "MISSING_PERMISSIONS",
  "You lack a permission in this guild: to manage it, or one that you give to a bot."
)
export const NOT_FOUND = refusal(404, "NOT_FOUND", "There is nothing at this path.")
/** For requests that the benchmark never sends. */
export const NOT_IMPLEMENTED = refusal(501, "NOT_IMPLEMENTED", "The floor does not do this.")
export const PAYLOAD_TOO_LARGE = refusal(413, "PAYLOAD_TOO_LARGE", "The body is too large.")
export const UNKNOWN_GUILD = refusal(404, "UNKNOWN_GUILD", "There is no such guild, or you are not in it.")
export const UNKNOWN_USER = refusal(404, "UNKNOWN_USER", "There is no such user.")
export const UNKNOWN_WEBHOOK = refusal(404, "UNKNOWN_WEBHOOK", "There is no such webhook.")
export const UNSUPPORTED_MEDIA_TYPE = refusal(
  415,
  "UNSUPPORTED_MEDIA_TYPE",
  "The content type must be application/json in UTF-8, without a content encoding."
)
export const UNSUPPORTED_RESPONSE_TYPE = refusal(
  400,
  "UNSUPPORTED_RESPONSE_TYPE",
  "The only supported response type is code."
)

/** The credentials are missing or wrong; `scheme` is the required one. */
export const unauthorized = (scheme: "Bot" | "Admin"): Reply => ({
  ...refusal(401, "UNAUTHORIZED", "Valid credentials are needed."),
  scheme
})
