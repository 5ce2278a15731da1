import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { InvalidFormBody } from "../wire/ApiError.ts"
import { BotCredentials } from "../wire/Credentials.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import { optional } from "../wire/WireType.ts"
import { ScheduledMessageResource, Status } from "./ScheduledMessageResource.ts"

/** The scheduled messages of the current user. */
export const ScheduledMessagesGroup = HttpApiGroup.make("scheduledMessages")
  .add(
    HttpApiEndpoint.get("list", "/users/@me/scheduled-messages")
      .setUrlParams(Schema.Struct({
        status: optional(
          Schema.Array(Status),
          "Lists messages in these statuses instead, the latest `scheduled_at` first, at most 100. May be repeated."
        )
      }))
      .addSuccess(
        Schema.Array(ScheduledMessageResource).annotations({ description: "The messages." })
      )
      .annotate(RequestRules, { bucket: "scheduled-messages" })
      .annotate(OpenApi.Identifier, "listScheduledMessages")
      .annotate(OpenApi.Summary, "List scheduled messages")
      .annotate(
        OpenApi.Description,
        "The current user's undelivered messages (pending, scheduled, invalid, failed), soonest first."
      )
  )
  .addError(InvalidFormBody)
  .middleware(BotCredentials)
  .annotate(OpenApi.Title, "Scheduled messages")
  .annotate(OpenApi.Description, "Messages of the current user that are posted at a later time.")
