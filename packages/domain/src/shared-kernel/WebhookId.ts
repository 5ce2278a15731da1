import { Schema } from "effect"
import { Snowflake } from "./Snowflake.ts"

/** Identifies a webhook. */
export const WebhookId = Snowflake.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type
