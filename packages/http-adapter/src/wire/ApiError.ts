import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema } from "effect"
import { Violation } from "./Violation.ts"
import { field } from "./WireType.ts"

/*
 * All error bodies of the API, one class per code (API gaps, Errors). Each operation declares the errors that it can
 * return, so that clients and the OpenAPI document have them.
 */

const fields = <const Code extends string>(code: Code, message: string) => ({
  code: Schema.Literal(code).annotations({ description: "The error's code, for programs." }).pipe(
    Schema.propertySignature,
    Schema.withConstructorDefault(() => code)
  ),
  message: Schema.String.annotations({ description: "What went wrong, for people." }).pipe(
    Schema.propertySignature,
    Schema.withConstructorDefault(() => message)
  )
})

const answeredWith = <A>(status: number, description: string): Schema.Annotations.Schema<A> =>
  HttpApiSchema.annotations({ status, description })

/** The body or a parameter violates its schema; lists all violations. */
export class InvalidFormBody extends Schema.Class<InvalidFormBody>("InvalidFormBody")({
  ...fields("INVALID_FORM_BODY", "The request is not valid: see errors."),
  errors: Schema.Array(Violation).annotations({ description: "All violations." })
}, answeredWith(400, "The body or a parameter violates its schema.")) {}

/** The body is empty, or is not JSON in UTF-8. */
export class InvalidJson extends Schema.Class<InvalidJson>("InvalidJson")(
  fields("INVALID_JSON", "The body is empty, or is not JSON in UTF-8."),
  answeredWith(400, "The body is empty, or is not JSON in UTF-8.")
) {}

/** The request is not a valid HTTP/1.1 message. */
export class BadRequest extends Schema.Class<BadRequest>("BadRequest")(
  fields("BAD_REQUEST", "The request is not a valid HTTP/1.1 message."),
  answeredWith(400, "The request is not a valid HTTP/1.1 message.")
) {}

/** There is no such application. */
export class InvalidClient extends Schema.Class<InvalidClient>("InvalidClient")(
  fields("INVALID_CLIENT", "There is no such application."),
  answeredWith(400, "There is no such application.")
) {}

/** The scope is unknown, malformed or empty. */
export class InvalidScope extends Schema.Class<InvalidScope>("InvalidScope")(
  fields("INVALID_SCOPE", "The scope is unknown, malformed or empty."),
  answeredWith(400, "The scope is unknown, malformed or empty.")
) {}

/** The response type is not `code`. */
export class UnsupportedResponseType extends Schema.Class<UnsupportedResponseType>("UnsupportedResponseType")(
  fields("UNSUPPORTED_RESPONSE_TYPE", "The only supported response type is code."),
  answeredWith(400, "The response type is not `code`.")
) {}

/** The redirect URI is not registered, or is missing although it is required. */
export class InvalidRedirectUri extends Schema.Class<InvalidRedirectUri>("InvalidRedirectUri")(
  fields("INVALID_REDIRECT_URI", "The redirect URI is not registered, or is missing although it is required."),
  answeredWith(400, "The redirect URI is not registered, or is missing although it is required.")
) {}

/** A bot is to be added to a guild, but the application has no bot account or its bot account is deleted. */
export class NotABotApplication extends Schema.Class<NotABotApplication>("NotABotApplication")(
  fields("NOT_A_BOT_APPLICATION", "The application has no bot."),
  answeredWith(400, "The application has no bot.")
) {}

/** The credentials are missing or malformed, use the wrong scheme, or have an unknown or revoked token. */
export class Unauthorized extends Schema.Class<Unauthorized>("Unauthorized")(
  fields("UNAUTHORIZED", "Valid credentials are needed."),
  answeredWith(
    401,
    "The credentials are missing or malformed, use the wrong scheme, or have an unknown or revoked token."
  )
) {}

/** The caller is a member of the guild, but lacks a permission that the request needs. */
export class MissingPermissions extends Schema.Class<MissingPermissions>("MissingPermissions")(
  fields("MISSING_PERMISSIONS", "You lack a permission in this guild: to manage it, or one that you give to a bot."),
  answeredWith(403, "The caller may not manage the guild, or gives a bot a permission that they lack there.")
) {}

/** The admin key lacks the access control. */
export class MissingAcl extends Schema.Class<MissingAcl>("MissingAcl")(
  fields("MISSING_ACL", "The admin key lacks the access control for this operation."),
  answeredWith(403, "The admin key lacks the access control for this operation.")
) {}

/** The token is not the webhook's token. */
export class AccessDenied extends Schema.Class<AccessDenied>("AccessDenied")(
  fields("ACCESS_DENIED", "This is not the token of the webhook."),
  answeredWith(403, "This is not the token of the webhook.")
) {}

/** The account is scheduled for deletion, so its tokens are rejected. */
export class AccountScheduledForDeletion
  extends Schema.Class<AccountScheduledForDeletion>("AccountScheduledForDeletion")(
    fields("ACCOUNT_SCHEDULED_FOR_DELETION", "The account is scheduled for deletion: its tokens do not work."),
    answeredWith(403, "The account is scheduled for deletion.")
  )
{}

/** There is no such guild, or the caller is not a member. */
export class UnknownGuild extends Schema.Class<UnknownGuild>("UnknownGuild")(
  fields("UNKNOWN_GUILD", "There is no such guild, or you are not in it."),
  answeredWith(404, "There is no such guild, or the caller is not in it.")
) {}

/** There is no such account, or it is deleted. */
export class UnknownUser extends Schema.Class<UnknownUser>("UnknownUser")(
  fields("UNKNOWN_USER", "There is no such user."),
  answeredWith(404, "There is no such user.")
) {}

/** There is no such webhook. */
export class UnknownWebhook extends Schema.Class<UnknownWebhook>("UnknownWebhook")(
  fields("UNKNOWN_WEBHOOK", "There is no such webhook."),
  answeredWith(404, "There is no such webhook.")
) {}

/** There is no such path. */
export class NotFound extends Schema.Class<NotFound>("NotFound")(
  fields("NOT_FOUND", "There is nothing at this path."),
  answeredWith(404, "There is nothing at this path.")
) {}

/** The path does not support the method. */
export class MethodNotAllowed extends Schema.Class<MethodNotAllowed>("MethodNotAllowed")(
  fields("METHOD_NOT_ALLOWED", "The path does not support the method: see the Allow header."),
  answeredWith(405, "The path does not support the method.")
) {}

/** The request did not arrive in time. */
export class RequestTimeout extends Schema.Class<RequestTimeout>("RequestTimeout")(
  fields("REQUEST_TIMEOUT", "The request did not arrive in time."),
  answeredWith(408, "The request did not arrive in time.")
) {}

/** The current state does not allow the operation. */
export class Conflict extends Schema.Class<Conflict>("Conflict")(
  fields("CONFLICT", "A system account cannot be deleted."),
  answeredWith(409, "The account is a system account.")
) {}

/** The body is larger than the operation's limit. */
export class PayloadTooLarge extends Schema.Class<PayloadTooLarge>("PayloadTooLarge")(
  fields("PAYLOAD_TOO_LARGE", "The body is too large."),
  answeredWith(413, "The body is larger than the operation's limit.")
) {}

/** The body is not declared as JSON in UTF-8, or is compressed. */
export class UnsupportedMediaType extends Schema.Class<UnsupportedMediaType>("UnsupportedMediaType")(
  fields("UNSUPPORTED_MEDIA_TYPE", "The content type must be application/json in UTF-8, without a content encoding."),
  answeredWith(415, "The body is not declared as JSON in UTF-8, or is compressed.")
) {}

/** The `Expect` header is not `100-continue`. */
export class ExpectationFailed extends Schema.Class<ExpectationFailed>("ExpectationFailed")(
  fields("EXPECTATION_FAILED", "The only supported expectation is 100-continue."),
  answeredWith(417, "The `Expect` header is not `100-continue`.")
) {}

/** The request line and the headers are too large together. */
export class HeadersTooLarge extends Schema.Class<HeadersTooLarge>("HeadersTooLarge")(
  fields("HEADERS_TOO_LARGE", "The request line and the headers are too large."),
  answeredWith(431, "The request line and the headers are too large together.")
) {}

/** Too many requests. */
export class RateLimited extends Schema.Class<RateLimited>("RateLimited")({
  ...fields("RATE_LIMITED", "Too many requests: try again later."),
  retry_after: field(
    Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 1 } }),
    "Seconds to wait before the next request."
  )
}, answeredWith(429, "Too many requests.")) {}

/** An unexpected failure. The log has the cause with the request id. */
export class InternalServerError extends Schema.Class<InternalServerError>("InternalServerError")(
  fields("INTERNAL_SERVER_ERROR", "Something went wrong on our side."),
  answeredWith(500, "The server failed unexpectedly.")
) {}

/**
 * The server cannot handle the request now: storage is unavailable or slow, too much is in progress, or the server starts or
 * stops.
 */
export class ServiceUnavailable extends Schema.Class<ServiceUnavailable>("ServiceUnavailable")(
  fields("SERVICE_UNAVAILABLE", "The service is not available at the moment: try again later."),
  answeredWith(503, "The service is not available at the moment.")
) {}
