import type { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import type { UserResource } from "@community-messaging/http-adapter/accounts/UserResource"
import type { MemberSearchResult } from "@community-messaging/http-adapter/guild-members/Api"
import type * as Mount from "@community-messaging/http-adapter/Mount"
import type { EventResource } from "@community-messaging/http-adapter/operations/EventResource"
import type { MessageResource } from "@community-messaging/http-adapter/operations/MessageResource"
import type { ScheduledMessageResource } from "@community-messaging/http-adapter/scheduled-messages/ScheduledMessageResource"
import type { WebhookResource } from "@community-messaging/http-adapter/webhooks/WebhookResource"
import type { Effect } from "effect"
import type * as Operations from "./Operations.ts"
import type { WithUndefined } from "./OptionalField.ts"
import type * as Setup from "./Setup.ts"
import type * as WebhookOperations from "./WebhookOperations.ts"

/** The input of a call: the encoded form of its schema. */
type Input<Operation> = Operation extends (input: infer I) => unknown ? I : never

/** The HTTP API in a Node server or in an Express or Fastify application, or in front of a Hono application. */
export interface MountedApi extends Pick<Mount.Mounted, "handles" | "listener"> {}

/** How the HTTP API is mounted. */
export interface MountOptions
  extends Pick<Mount.Options, "maxEventStreamsPerKey" | "prefix" | "publicUrl" | "trustedProxies" | "unknownPaths">
{
  /** The origins whose pages may call the API from a browser, such as `https://chat.example`, or all: none by default. */
  readonly allowedOrigins?: "*" | ReadonlyArray<string>
}

/**
 * The service as promises. Inputs and results have the fields of docs/api-reference.md: ids are strings of digits, times are
 * ISO 8601 texts in UTC or Unix seconds, absence is `null`. The embedding program is trusted: `user_id` is the user for whom
 * it acts. A promise rejects with `InvalidInput`, `StorageError` or `ServiceClosed`, or with one of the errors of the method.
 */
export interface Service {
  // The entities that the operations need.
  /** Creates an account. Errors: `EmailAlreadyInUse`. */
  readonly createUser: (input: Input<typeof Setup.createUser>) => Promise<UserResource>
  /** Creates a guild. Its owner is its first member. Errors: `UnknownUser`. */
  readonly createGuild: (
    input: Input<typeof Setup.createGuild>
  ) => Promise<{ readonly id: string; readonly name: string; readonly owner_id: string }>
  /** Creates a channel. Errors: `UnknownGuild`. */
  readonly createChannel: (
    input: Input<typeof Setup.createChannel>
  ) => Promise<{ readonly id: string; readonly guild_id: string; readonly name: string }>
  /** Creates a role. `permissions` is a bit set as a decimal number. Errors: `UnknownGuild`. */
  readonly createRole: (input: Input<typeof Setup.createRole>) => Promise<
    { readonly id: string; readonly guild_id: string; readonly name: string; readonly permissions: string }
  >
  /**
   * Adds an account to a guild, or changes its nickname and roles there. Fields that are left out do not change.
   * Errors: `UnknownGuild`, `UnknownUser`.
   */
  readonly saveMember: (input: Input<typeof Setup.saveMember>) => Promise<void>
  /** Removes an account from a guild. Does nothing if it is not a member. Errors: `OwnerNotRemovable`. */
  readonly removeMember: (input: Input<typeof Setup.removeMember>) => Promise<void>
  /** Registers an OAuth2 application. Errors: `UnknownUser`. */
  readonly createApplication: (input: Input<typeof Setup.createApplication>) => Promise<{
    readonly id: string
    readonly name: string
    readonly bot_user_id: string | null
    readonly redirect_uris: ReadonlyArray<string>
  }>
  /** Creates a webhook. Its token cannot be read again later. Errors: `UnknownChannel`. */
  readonly createWebhook: (input: Input<typeof Setup.createWebhook>) => Promise<WebhookResource>
  /**
   * Issues a token of a bot account for the HTTP API. It cannot be read again later. Errors: `NotABot`, `UnknownUser`.
   */
  readonly issueBotToken: (
    input: Input<typeof Setup.issueBotToken>
  ) => Promise<{ readonly id: string; readonly token: string }>
  /** Issues an admin key for the HTTP API. It cannot be read again later. */
  readonly issueAdminKey: (
    input: Input<typeof Setup.issueAdminKey>
  ) => Promise<{ readonly id: string; readonly token: string }>
  /** Revokes a bot token or an admin key. Revoking it again has no effect. Errors: `UnknownCredential`. */
  readonly revokeCredential: (input: Input<typeof Setup.revokeCredential>) => Promise<void>

  // The operations.
  /**
   * Grants OAuth2 consent of the user `user_id`. `authorised_page` is the page for applications without a redirect URI.
   * Errors: `AccountScheduledForDeletion`, `InvalidClient`, `InvalidRedirectUri`, `InvalidScope`,
   * `MissingGuildPermissions`, `NotABotApplication`, `UnknownGuild`, `UnknownUser`, `UnsupportedResponseType`.
   */
  readonly grantConsent: (
    input: Input<typeof Operations.grantConsent>
  ) => Promise<{ readonly redirect_to: string }>
  /** Exchanges a code for an access token, exactly once. Errors: `InvalidGrant`. */
  readonly redeemCode: (input: Input<typeof Operations.redeemCode>) => Promise<
    { readonly access_token: string; readonly user_id: string; readonly scopes: ReadonlyArray<string> }
  >
  /**
   * Returns the user, the application and the scopes of an access token that a request presents. Errors:
   * `InvalidCredentials`, `AccountScheduledForDeletion`.
   */
  readonly authenticateAccessToken: (input: Input<typeof Operations.authenticateAccessToken>) => Promise<
    { readonly user_id: string; readonly client_id: string; readonly scopes: ReadonlyArray<string> }
  >
  /**
   * Lists the author's scheduled messages: the undelivered ones, soonest first, or those in one of `status`, the
   * latest first.
   */
  readonly listScheduledMessages: (
    input: Input<typeof Operations.listScheduledMessages>
  ) => Promise<ReadonlyArray<ScheduledMessageResource>>
  /**
   * Schedules a message of the user `user_id` for a local time in a time zone. Errors: `TooManyScheduledMessages`,
   * `UndeliverableMessage`.
   */
  readonly scheduleMessage: (input: Input<typeof Operations.scheduleMessage>) => Promise<ScheduledMessageResource>
  /**
   * Edits an undelivered message of the user `user_id`. Fields that are left out do not change; `payload` is replaced as a
   * whole. The message is checked, and armed if it was not. Attempts are counted from 0 again. Errors:
   * `IllegalScheduledMessageTransition`, `ScheduledMessageConflict`, `UndeliverableMessage`, `UnknownScheduledMessage`.
   */
  readonly editScheduledMessage: (
    input: Input<typeof Operations.editScheduledMessage>
  ) => Promise<ScheduledMessageResource>
  /**
   * Cancels an undelivered message of the user `user_id`. Errors: `IllegalScheduledMessageTransition`,
   * `ScheduledMessageConflict`, `UnknownScheduledMessage`.
   */
  readonly cancelScheduledMessage: (
    input: Input<typeof Operations.cancelScheduledMessage>
  ) => Promise<ScheduledMessageResource>
  /**
   * Searches the members of a guild. The user `user_id` must be allowed to manage it. Errors:
   * `MissingGuildPermissions`, `UnknownGuild`.
   */
  readonly searchGuildMembers: (input: Input<typeof Operations.searchGuildMembers>) => Promise<MemberSearchResult>
  /**
   * Schedules the deletion of an account, or replaces a scheduled one. Errors: `SystemAccountNotDeletable`,
   * `UnknownUser`.
   */
  readonly scheduleAccountDeletion: (
    input: Input<typeof Operations.scheduleAccountDeletion>
  ) => Promise<{ readonly user: UserResource }>
  /** Cancels a scheduled deletion. Errors: `NoDeletionScheduled`, `UnknownUser`. */
  readonly cancelAccountDeletion: (
    input: Input<typeof Operations.cancelAccountDeletion>
  ) => Promise<{ readonly user: UserResource }>
  /** Changes the e-mail address of an account. Errors: `EmailAlreadyInUse`, `UnknownUser`. */
  readonly changeUserEmail: (
    input: Input<typeof Operations.changeUserEmail>
  ) => Promise<{ readonly user: UserResource }>
  /**
   * Turns a code host's notification into a message. `event` and `delivery_id` are those of the host's headers. Errors:
   * `UnknownWebhook`, `WebhookTokenMismatch`.
   */
  readonly executeCodeHostWebhook: (
    input: Input<typeof WebhookOperations.executeCodeHostWebhook>
  ) => Promise<WebhookOperations.NotificationResult>
  /**
   * Turns an error tracker's notification into a message. `event` and `delivery_id` are those of its headers. Errors:
   * `UnknownWebhook`, `WebhookTokenMismatch`.
   */
  readonly executeErrorTrackerWebhook: (
    input: Input<typeof WebhookOperations.executeErrorTrackerWebhook>
  ) => Promise<WebhookOperations.NotificationResult>
  /**
   * Changes the name and the avatar of a webhook. `avatar` is a data URI in base64; null removes it. Errors:
   * `ImageInspectorBusy`, `InvalidAvatarImage`, `UnknownWebhook`, `WebhookTokenMismatch`.
   */
  readonly updateWebhook: (input: Input<typeof WebhookOperations.updateWebhook>) => Promise<WebhookResource>

  /**
   * Lists the posted messages of a channel, newest first: at most `limit`, 50 by default, before the message `before`.
   */
  readonly listMessages: (
    input: Input<typeof Operations.listMessages>
  ) => Promise<ReadonlyArray<MessageResource>>
  /**
   * All events after this sequence number, past and future, in order, until the service is closed. A number beyond the end of
   * the log counts as its end. `"now"` leaves out the past events.
   */
  readonly events: (after?: number | "now") => AsyncIterable<EventResource>
  /** Does the background work that is due now. Returns the results. */
  readonly runBackgroundWork: () => Promise<Effect.Effect.Success<typeof BackgroundWork.runOnce>>
  /** Mounts the HTTP API under a prefix. */
  readonly mountHttp: (options: WithUndefined<MountOptions>) => Promise<MountedApi>
  /**
   * Waits for the calls in progress, and at most 10 seconds for the requests of a mounted API. Then closes the storage. Later
   * calls reject with `ServiceClosed`.
   */
  readonly close: () => Promise<void>
}
