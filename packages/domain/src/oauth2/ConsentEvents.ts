import { Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { GuildId } from "../guild/Guild.ts"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PermissionsFromString } from "../shared-kernel/Permissions.ts"
import { ApplicationId } from "./Application.ts"
import type { Consent } from "./Consent.ts"
import { Scope } from "./Scope.ts"

/** A user granted an application access. */
export const ConsentGranted = event("consent.granted", {
  userId: UserId,
  applicationId: ApplicationId,
  scopes: Schema.Array(Scope),
  guildId: optionalField(GuildId),
  permissions: optionalField(PermissionsFromString)
})

/** Makes the event of a consent. It has permissions if a bot was added to a guild. */
export const consentGranted = ({ applicationId, guildId, permissions, scopes, userId }: Consent) =>
  ConsentGranted.of({ userId, applicationId, scopes, guildId, permissions: Option.as(guildId, permissions) })
