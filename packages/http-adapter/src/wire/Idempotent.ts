import { Context } from "effect"

/**
 * Annotation of an endpoint that is not a GET: whether a request has the same effect when it is repeated, so that a
 * client without a response may repeat it. False by default.
 */
export class Idempotent
  extends Context.Reference<Idempotent>()("@community-messaging/http-adapter/Idempotent", { defaultValue: () => false })
{}
