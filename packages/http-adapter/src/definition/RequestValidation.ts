import { HttpApiMiddleware, HttpServerRequest } from "@effect/platform"
import { Context, Schema } from "effect"
import { InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "./ApiError.ts"

const MEBIBYTE = 1024 * 1024

/** Annotation of an endpoint: the most bytes that its body may have (decisions, 2). */
export class BodyLimit extends Context.Reference<BodyLimit>()("@community-messaging/http-adapter/BodyLimit", {
  defaultValue: () => MEBIBYTE
}) {}

/** The largest body of a webhook's update: an avatar of 10 MiB in base64, and some. */
export const WEBHOOK_UPDATE_LIMIT = 14 * MEBIBYTE

/** The largest notification that the code host sends. */
export const CODE_HOST_NOTIFICATION_LIMIT = 25 * MEBIBYTE

/** Annotation of an endpoint: what to tell those who send its body as a form. */
export class FormAdvice extends Context.Tag("@community-messaging/http-adapter/FormAdvice")<FormAdvice, string>() {}

/** The parameters fit their schemas: path, query and header, all violations at once. */
export class ParameterValidation extends HttpApiMiddleware.Tag<ParameterValidation>()(
  "@community-messaging/http-adapter/ParameterValidation",
  { failure: InvalidFormBody }
) {}

/**
 * The body is JSON within its limit and fits its schema, all violations at once. It is read here, once, and only after
 * the credentials were checked; what follows finds it parsed in the request.
 */
export class BodyValidation extends HttpApiMiddleware.Tag<BodyValidation>()(
  "@community-messaging/http-adapter/BodyValidation",
  {
    failure: Schema.Union(InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType),
    provides: HttpServerRequest.HttpServerRequest
  }
) {}
