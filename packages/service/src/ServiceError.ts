import { AccountScheduledForDeletion, InvalidCredentials } from "@community-messaging/domain/access/Authentication"
import { UnknownCredential } from "@community-messaging/domain/access/Credential"
import { NotABot } from "@community-messaging/domain/access/Credentials"
import { NoDeletionScheduled, SystemAccountNotDeletable } from "@community-messaging/domain/account/DeletionSchedule"
import { UnknownUser } from "@community-messaging/domain/account/User"
import { EmailAlreadyInUse } from "@community-messaging/domain/account/UserRepository"
import { UnknownGuild } from "@community-messaging/domain/guild/Guild"
import { MissingGuildPermissions } from "@community-messaging/domain/guild/GuildPermissions"
import { OwnerNotRemovable } from "@community-messaging/domain/guild/Memberships"
import {
  InvalidClient,
  InvalidRedirectUri,
  NotABotApplication,
  UnsupportedResponseType
} from "@community-messaging/domain/oauth2/ConsentRequest"
import { InvalidGrant } from "@community-messaging/domain/oauth2/Consents"
import { InvalidScope } from "@community-messaging/domain/oauth2/Scope"
import { IllegalScheduledMessageTransition } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageConflict } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  TooManyScheduledMessages,
  UndeliverableMessage,
  UnknownScheduledMessage
} from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { SnowflakeEpochMismatch } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { InvalidAvatarImage } from "@community-messaging/domain/webhook/Avatar"
import { ImageInspectorBusy } from "@community-messaging/domain/webhook/ImageInspector"
import { UnknownWebhook, WebhookTokenMismatch } from "@community-messaging/domain/webhook/Webhook"
import { UnknownChannel } from "@community-messaging/domain/webhook/Webhooks"
import { UnknownSchemaVersion } from "@community-messaging/storage-sqlite/Migrations"
import { Schema } from "effect"
import { InvalidInput } from "./InvalidInput.ts"

/** The service is closed. */
export class ServiceClosed extends Schema.TaggedError<ServiceClosed>()("ServiceClosed", {}) {
  override get message(): string {
    return "The service is closed."
  }
}

const ERRORS = [
  AccountScheduledForDeletion,
  EmailAlreadyInUse,
  IllegalScheduledMessageTransition,
  ImageInspectorBusy,
  InvalidAvatarImage,
  InvalidClient,
  InvalidCredentials,
  InvalidGrant,
  InvalidInput,
  InvalidRedirectUri,
  InvalidScope,
  MissingGuildPermissions,
  NoDeletionScheduled,
  NotABot,
  NotABotApplication,
  OwnerNotRemovable,
  ScheduledMessageConflict,
  ServiceClosed,
  SnowflakeEpochMismatch,
  StorageError,
  SystemAccountNotDeletable,
  TooManyScheduledMessages,
  UndeliverableMessage,
  UnknownChannel,
  UnknownCredential,
  UnknownGuild,
  UnknownScheduledMessage,
  UnknownSchemaVersion,
  UnknownUser,
  UnknownWebhook,
  UnsupportedResponseType,
  WebhookTokenMismatch
] as const

/**
 * The errors with which the promises of a service reject. The `_tag` is the kind, and determines the other fields. Any other
 * error is a bug.
 */
export type ServiceError = InstanceType<(typeof ERRORS)[number]>

/** Returns whether a promise rejected with a known error, so that you can switch on its `_tag`. */
export const isServiceError = (error: unknown): error is ServiceError =>
  ERRORS.some((errorClass) => error instanceof errorClass)
