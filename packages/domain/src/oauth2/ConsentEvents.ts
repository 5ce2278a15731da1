import { type Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { GuildId } from "../guild/Guild.ts"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { type Permissions, PermissionsFromString } from "../shared-kernel/Permissions.ts"
import { ApplicationId } from "./Application.ts"
import { Scope } from "./Scope.ts"

/** A user granted an application access. */
export const ConsentGranted = event("consent.granted", {
  userId: UserId,
  applicationId: ApplicationId,
  scopes: Schema.Array(Scope),
  guildId: optionalField(GuildId),
  permissions: optionalField(PermissionsFromString)
})

/** The event of a consent; guild and permissions are a bot's that was added. They are checked already. */
export const consentGranted = (consent: {
  readonly userId: UserId
  readonly applicationId: ApplicationId
  readonly scopes: ReadonlyArray<Scope>
  readonly guildId: Option.Option<GuildId>
  readonly permissions: Option.Option<Permissions>
}): typeof ConsentGranted.Type => ConsentGranted.make({ version: 1, ...consent }, PARTS_CHECKED)
