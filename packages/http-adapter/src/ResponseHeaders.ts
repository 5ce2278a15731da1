/*
 * The headers of responses, as the OpenAPI document describes them (API reference, Rate limits and Errors).
 */

const header = (type: "string" | "integer" | "number", description: string, example: string | number) => ({
  description,
  schema: { type },
  example
})

/** The headers by the names of their components. */
export const components = {
  RequestId: header(
    "string",
    "Identifies the request in the log. A valid id in the request is kept.",
    "0f0c4b7e-5a4e-4d0c-8f5e-3c1de6b0a1f2"
  ),
  RateLimitLimit: header("integer", "Requests that the bucket allows.", 40),
  RateLimitRemaining: header("integer", "Requests that are left in the bucket.", 39),
  RateLimitReset: header("integer", "When the full quota is available again, in Unix seconds.", 1_795_329_482),
  RateLimitResetAfter: header("number", "Seconds until the full quota is available again, with milliseconds.", 0.25),
  RateLimitBucket: header("string", "The bucket in which the request was counted.", "member-search"),
  RetryAfter: header("integer", "Seconds to wait before the next request.", 3),
  AcceptEncoding: header("string", "The content codings of bodies that the server accepts: none.", "identity"),
  WwwAuthenticate: header("string", "The required authentication scheme: Bot or Admin.", "Bot")
} as const

const reference = (name: keyof typeof components) => ({ $ref: `#/components/headers/${name}` })

const COUNTED = {
  "X-RateLimit-Limit": reference("RateLimitLimit"),
  "X-RateLimit-Remaining": reference("RateLimitRemaining"),
  "X-RateLimit-Reset": reference("RateLimitReset"),
  "X-RateLimit-Reset-After": reference("RateLimitResetAfter"),
  "X-RateLimit-Bucket": reference("RateLimitBucket")
}

/** The headers of responses with this status. */
export const ofStatus = (status: string) => ({
  "X-Request-Id": reference("RequestId"),
  ...COUNTED,
  ...(status === "401" && { "WWW-Authenticate": reference("WwwAuthenticate") }),
  ...(status === "415" && { "Accept-Encoding": reference("AcceptEncoding") }),
  ...((status === "429" || status === "503") && { "Retry-After": reference("RetryAfter") })
})
