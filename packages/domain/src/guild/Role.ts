import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { Name } from "../shared-kernel/Name.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PermissionsFromString } from "../shared-kernel/Permissions.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { GuildId } from "./Guild.ts"

/** Identifies a role. A guild's `@everyone` role has the guild's own id. */
export const RoleId = Snowflake.pipe(Schema.brand("RoleId"))
export type RoleId = typeof RoleId.Type

/** A named set of permissions for members of a guild. `managedBy` is the bot that owns a managed role. */
export const Role = Schema.Struct({
  id: RoleId,
  guildId: GuildId,
  name: Name,
  permissions: PermissionsFromString,
  managedBy: optionalField(UserId)
}).annotations({ identifier: "Role" })
export interface Role extends Schema.Schema.Type<typeof Role> {}
