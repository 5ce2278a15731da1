import { Context, Schema } from "effect"
import { InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "./ApiError.ts"

const MEBIBYTE = 1024 * 1024

/** Annotation of an endpoint: the maximum size of its body in bytes (API gaps, Errors). */
export class BodyLimit extends Context.Reference<BodyLimit>()("@community-messaging/http-adapter/BodyLimit", {
  defaultValue: () => MEBIBYTE
}) {}

/** The maximum body of a webhook update in bytes: an avatar of 10 MiB in base64, and some margin. */
export const WEBHOOK_UPDATE_LIMIT = 14 * MEBIBYTE

/** The size of the largest notification that the code host sends, in bytes. */
export const CODE_HOST_NOTIFICATION_LIMIT = 25 * MEBIBYTE

/** Annotation of an endpoint: the error message for a body that is sent as a form. */
export class FormAdvice extends Context.Tag("@community-messaging/http-adapter/FormAdvice")<FormAdvice, string>() {}

/**
 * The errors of a body. The body is read after the credentials are checked, and all violations are reported at once.
 */
export const InvalidBody = Schema.Union(InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType)
