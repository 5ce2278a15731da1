import { Schema } from "effect"
import { Snowflake } from "./Snowflake.ts"

/** Identifies a bot token or an admin key. It is not secret. */
export const CredentialId = Snowflake.pipe(Schema.brand("CredentialId"))
export type CredentialId = typeof CredentialId.Type
