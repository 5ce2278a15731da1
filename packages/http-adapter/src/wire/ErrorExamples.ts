import * as ApiErrors from "./ApiError.ts"
import type { Violation } from "./Violation.ts"

/** An error body of each class, as the server sends it, by the name of the class. */
export const errorExamples = (violations: ReadonlyArray<Violation>): {
  readonly [Name in keyof typeof ApiErrors]: InstanceType<(typeof ApiErrors)[Name]>
} => ({
  InvalidFormBody: new ApiErrors.InvalidFormBody({ errors: violations }),
  InvalidJson: new ApiErrors.InvalidJson(),
  BadRequest: new ApiErrors.BadRequest(),
  InvalidClient: new ApiErrors.InvalidClient(),
  InvalidScope: new ApiErrors.InvalidScope(),
  UnsupportedResponseType: new ApiErrors.UnsupportedResponseType(),
  InvalidRedirectUri: new ApiErrors.InvalidRedirectUri(),
  NotABotApplication: new ApiErrors.NotABotApplication(),
  Unauthorized: new ApiErrors.Unauthorized(),
  MissingPermissions: new ApiErrors.MissingPermissions(),
  MissingAcl: new ApiErrors.MissingAcl(),
  AccessDenied: new ApiErrors.AccessDenied(),
  AccountScheduledForDeletion: new ApiErrors.AccountScheduledForDeletion(),
  UnknownGuild: new ApiErrors.UnknownGuild(),
  UnknownUser: new ApiErrors.UnknownUser(),
  UnknownWebhook: new ApiErrors.UnknownWebhook(),
  NotFound: new ApiErrors.NotFound(),
  MethodNotAllowed: new ApiErrors.MethodNotAllowed(),
  RequestTimeout: new ApiErrors.RequestTimeout(),
  Conflict: new ApiErrors.Conflict(),
  PayloadTooLarge: new ApiErrors.PayloadTooLarge(),
  UnsupportedMediaType: new ApiErrors.UnsupportedMediaType(),
  ExpectationFailed: new ApiErrors.ExpectationFailed(),
  HeadersTooLarge: new ApiErrors.HeadersTooLarge(),
  RateLimited: new ApiErrors.RateLimited({ retry_after: 3 }),
  InternalServerError: new ApiErrors.InternalServerError(),
  ServiceUnavailable: new ApiErrors.ServiceUnavailable()
})
