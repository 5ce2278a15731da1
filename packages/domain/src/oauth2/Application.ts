import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { optionalField } from "../OptionalField.ts"
import { Snowflake } from "../Snowflake.ts"

/** Identifies an application: the `client_id` of OAuth2. */
export const ApplicationId = Snowflake.pipe(Schema.brand("ApplicationId"))
export type ApplicationId = typeof ApplicationId.Type

/** An OAuth2 client (RFC 6749, 2). `botUserId` is the account that joins guilds for it. */
export const Application = Schema.Struct({
  id: ApplicationId,
  name: Schema.NonEmptyString,
  botUserId: optionalField(UserId),
  redirectUris: Schema.Array(Schema.String)
}).annotations({ identifier: "Application" })
export interface Application extends Schema.Schema.Type<typeof Application> {}
