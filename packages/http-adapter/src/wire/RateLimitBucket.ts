/** The rate limit buckets (API gaps, Rate limits), by their names in the `X-RateLimit-Bucket` header. */
export type RateLimitBucket =
  | "consent"
  | "scheduled-messages"
  | "member-search"
  | "administration"
  | "webhook-update"
  | "webhook-avatar"
  | "webhook-notification"
  | "body"
  | "authentication"
  | "global"
