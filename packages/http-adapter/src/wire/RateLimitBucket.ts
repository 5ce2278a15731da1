import { Context } from "effect"

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

/** Annotation of an endpoint: the bucket that counts its requests, in addition to `global`. */
export class CountedIn
  extends Context.Tag("@community-messaging/http-adapter/CountedIn")<CountedIn, RateLimitBucket>()
{}
