import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { InternalServerError } from "./ApiError.ts"
import { BotCredentials } from "./Credentials.ts"
import { CountedIn } from "./RateLimitBucket.ts"
import { ParameterValidation } from "./RequestValidation.ts"
import { ScheduledMessageResource } from "./ScheduledMessageResource.ts"
import { optional } from "./WireType.ts"

/** The scheduled messages of the current user. */
export const ScheduledMessagesGroup = HttpApiGroup.make("scheduledMessages")
  .add(
    HttpApiEndpoint.get("list", "/users/@me/scheduled-messages")
      .setUrlParams(Schema.Struct({
        status: optional(
          Schema.Array(ScheduledMessageStatus.annotations({ identifier: "ScheduledMessageStatus" })).annotations({
            description: "Messages in one of these states instead, newest first, at most 100. May be repeated."
          })
        )
      }))
      .addSuccess(
        Schema.Array(ScheduledMessageResource).annotations({ description: "The messages." })
      )
      .annotate(CountedIn, "scheduled-messages")
      .annotate(OpenApi.Summary, "List scheduled messages")
      .annotate(
        OpenApi.Description,
        "The current user's messages that were not delivered yet (pending, scheduled, invalid, failed), soonest first."
      )
  )
  .addError(InternalServerError)
  .middleware(ParameterValidation)
  .middleware(BotCredentials)
  .annotate(OpenApi.Title, "Scheduled messages")
