import type { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import type { UserResource } from "@community-messaging/http-adapter/accounts/UserResource"
import type { MemberSearchResult } from "@community-messaging/http-adapter/guild-members/Api"
import type * as Mount from "@community-messaging/http-adapter/Mount"
import type { EventResource } from "@community-messaging/http-adapter/operations/EventResource"
import type { MessageResource } from "@community-messaging/http-adapter/operations/MessageResource"
import type { ScheduledMessageResource } from "@community-messaging/http-adapter/scheduled-messages/ScheduledMessageResource"
import type { WebhookResource } from "@community-messaging/http-adapter/webhooks/WebhookResource"
import type { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type * as Operations from "./Operations.ts"
import type { WithUndefined } from "./OptionalField.ts"
import type * as Setup from "./Setup.ts"
import type * as WebhookOperations from "./WebhookOperations.ts"

/** The input of a call: the encoded form of its schema. */
type Input<Operation> = Operation extends (input: infer I) => unknown ? I : never

/** The HTTP API in a Node server, or in an Express, Fastify or Hono application. */
export interface MountedApi {
  /** Returns whether the path of the request belongs to the API. */
  readonly handles: (request: IncomingMessage) => boolean
  /** Answers a request. Requests of other paths go to `next`, or get a 404 if there is no `next`. */
  readonly listener: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
}

/**
 * The service as promises. Inputs and results have the fields of docs/api-reference.md: ids are strings of digits, times are
 * ISO 8601 texts in UTC or Unix seconds, absence is `null`. A promise rejects with a `ServiceError`. The embedding program
 * is trusted: `user_id` is the user for whom it acts.
 */
export interface Service {
  // The entities that the operations need.
  readonly createUser: (input: Input<typeof Setup.createUser>) => Promise<UserResource>
  /** Creates a guild. Its owner is its first member. */
  readonly createGuild: (
    input: Input<typeof Setup.createGuild>
  ) => Promise<{ readonly id: string; readonly name: string; readonly owner_id: string }>
  readonly createChannel: (
    input: Input<typeof Setup.createChannel>
  ) => Promise<{ readonly id: string; readonly guild_id: string; readonly name: string }>
  /** Creates a role. `permissions` is a bit set as a decimal number. */
  readonly createRole: (input: Input<typeof Setup.createRole>) => Promise<
    { readonly id: string; readonly guild_id: string; readonly name: string; readonly permissions: string }
  >
  /** Adds an account to a guild, or changes its nickname and roles there. Fields that are left out do not change. */
  readonly saveMember: (input: Input<typeof Setup.saveMember>) => Promise<void>
  readonly removeMember: (input: Input<typeof Setup.removeMember>) => Promise<void>
  readonly createApplication: (input: Input<typeof Setup.createApplication>) => Promise<{
    readonly id: string
    readonly name: string
    readonly bot_user_id: string | null
    readonly redirect_uris: ReadonlyArray<string>
  }>
  /** Creates a webhook. Its token cannot be read again later. */
  readonly createWebhook: (input: Input<typeof Setup.createWebhook>) => Promise<WebhookResource>
  /** Issues a token for the HTTP API. It cannot be read again later. */
  readonly issueBotToken: (
    input: Input<typeof Setup.issueBotToken>
  ) => Promise<{ readonly id: string; readonly token: string }>
  /** Issues an admin key for the HTTP API. It cannot be read again later. */
  readonly issueAdminKey: (
    input: Input<typeof Setup.issueAdminKey>
  ) => Promise<{ readonly id: string; readonly token: string }>
  readonly revokeCredential: (input: Input<typeof Setup.revokeCredential>) => Promise<void>

  // The operations.
  readonly grantConsent: (
    input: Input<typeof Operations.grantConsent>
  ) => Promise<{ readonly redirect_to: string }>
  /** Exchanges a code for an access token, exactly once. */
  readonly redeemCode: (input: Input<typeof Operations.redeemCode>) => Promise<
    { readonly access_token: string; readonly user_id: string; readonly scopes: ReadonlyArray<string> }
  >
  readonly listScheduledMessages: (
    input: Input<typeof Operations.listScheduledMessages>
  ) => Promise<ReadonlyArray<ScheduledMessageResource>>
  readonly scheduleMessage: (input: Input<typeof Operations.scheduleMessage>) => Promise<ScheduledMessageResource>
  readonly cancelScheduledMessage: (
    input: Input<typeof Operations.cancelScheduledMessage>
  ) => Promise<ScheduledMessageResource>
  readonly searchGuildMembers: (input: Input<typeof Operations.searchGuildMembers>) => Promise<MemberSearchResult>
  readonly scheduleAccountDeletion: (
    input: Input<typeof Operations.scheduleAccountDeletion>
  ) => Promise<{ readonly user: UserResource }>
  readonly cancelAccountDeletion: (
    input: Input<typeof Operations.cancelAccountDeletion>
  ) => Promise<{ readonly user: UserResource }>
  readonly changeUserEmail: (
    input: Input<typeof Operations.changeUserEmail>
  ) => Promise<{ readonly user: UserResource }>
  readonly executeCodeHostWebhook: (
    input: Input<typeof WebhookOperations.executeCodeHostWebhook>
  ) => Promise<WebhookOperations.NotificationResult>
  readonly executeErrorTrackerWebhook: (
    input: Input<typeof WebhookOperations.executeErrorTrackerWebhook>
  ) => Promise<WebhookOperations.NotificationResult>
  readonly updateWebhook: (input: Input<typeof WebhookOperations.updateWebhook>) => Promise<WebhookResource>

  /** The posted messages of a channel, newest first. */
  readonly listMessages: (
    input: Input<typeof Operations.listMessages>
  ) => Promise<ReadonlyArray<MessageResource>>
  /** All events after this sequence number, past and future, in order, until the service is closed. */
  readonly events: (after?: number) => AsyncIterable<EventResource>
  /** Does the background work that is due now. Returns the results. */
  readonly runBackgroundWork: () => Promise<Effect.Effect.Success<typeof BackgroundWork.runOnce>>
  /** Mounts the HTTP API under a prefix. */
  readonly mountHttp: (
    options: WithUndefined<Pick<Mount.Options, "prefix" | "publicUrl" | "trustedProxies" | "unknownPaths">>
  ) => Promise<
    MountedApi
  >
  /** Waits for calls and requests in progress, and closes the storage. Later calls reject with `ServiceClosed`. */
  readonly close: () => Promise<void>
}
