import { Effect } from "effect"
import * as ApiError from "../definition/ApiError.ts"
import type { Violation } from "../definition/Violation.ts"

/*
 * How the domain's refusals are told over HTTP (decisions, 2), by their tags. A handler names those that its use case has;
 * the endpoint's definition names what clients may see.
 */

/** `UnknownGuild` */
export const unknownGuild = () => Effect.fail(new ApiError.UnknownGuild())

/** `MissingGuildPermissions` */
export const missingPermissions = () => Effect.fail(new ApiError.MissingPermissions())

/** `UnknownUser` */
export const unknownUser = () => Effect.fail(new ApiError.UnknownUser())

/** `MissingAccessControl` */
export const missingAcl = () => Effect.fail(new ApiError.MissingAcl())

/** `SystemAccountNotDeletable` */
export const conflict = () => Effect.fail(new ApiError.Conflict())

/** `UnknownWebhook` */
export const unknownWebhook = () => Effect.fail(new ApiError.UnknownWebhook())

/** A use case found something wrong with a field. */
export const invalid = (...errors: ReadonlyArray<Violation>) => Effect.fail(new ApiError.InvalidFormBody({ errors }))
