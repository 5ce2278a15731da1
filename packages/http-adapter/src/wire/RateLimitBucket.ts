import { Context } from "effect"

/** Requests that are counted together (API gaps, Rate limits), named as in the `X-RateLimit-Bucket` header. */
export type RateLimitBucket =
  | "consent"
  | "scheduled-messages"
  | "member-search"
  | "administration"
  | "webhook-update"
  | "webhook-notification"
  | "authentication"
  | "global"

/** Annotation of an endpoint: the bucket in which its requests are counted, besides `global`. */
export class CountedIn
  extends Context.Tag("@community-messaging/http-adapter/CountedIn")<CountedIn, RateLimitBucket>()
{}
