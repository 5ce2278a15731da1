import { Context, Schema } from "effect"
import { InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "./ApiError.ts"

const MEBIBYTE = 1024 * 1024

/** Annotation of an endpoint: the most bytes that its body may have (API gaps, Errors). */
export class BodyLimit extends Context.Reference<BodyLimit>()("@community-messaging/http-adapter/BodyLimit", {
  defaultValue: () => MEBIBYTE
}) {}

/** The largest body of a webhook's update: an avatar of 10 MiB in base64, and some. */
export const WEBHOOK_UPDATE_LIMIT = 14 * MEBIBYTE

/** The largest notification that the code host sends. */
export const CODE_HOST_NOTIFICATION_LIMIT = 25 * MEBIBYTE

/** Annotation of an endpoint: what to tell those who send its body as a form. */
export class FormAdvice extends Context.Tag("@community-messaging/http-adapter/FormAdvice")<FormAdvice, string>() {}

/** What may be wrong with a body: it is read only after the credentials were checked, and all violations are told at once. */
export const InvalidBody = Schema.Union(InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType)
