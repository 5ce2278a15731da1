// Made from the definition of the API by `npm run generate`. Do not edit.
// dprint-ignore-file

import type { Operation } from "./Operation.ts"
import type { AuditPage, ChangeEmail, CodeHostNotification, ConsentRequest, ConsentResult, ErrorTrackerNotification, Event, MemberSearch, MemberSearchResult, ScheduleDeletion, ScheduledMessage, ScheduledMessageStatus, UpdateWebhook, UserResult, Webhook } from "./Resources.ts"

/** The code of an error. See the API reference, Errors. */
export type ErrorCode =
  /** 400. The request is not a valid HTTP/1.1 message. */
  | "BAD_REQUEST"
  /** 400. There is no such application. */
  | "INVALID_CLIENT"
  /** 400. The body or a parameter violates its schema. */
  | "INVALID_FORM_BODY"
  /** 400. The body is empty, or is not JSON in UTF-8. */
  | "INVALID_JSON"
  /** 400. The redirect URI is not registered, or is missing although it is required. */
  | "INVALID_REDIRECT_URI"
  /** 400. The scope is unknown, malformed or empty. */
  | "INVALID_SCOPE"
  /** 400. The application has no bot. */
  | "NOT_A_BOT_APPLICATION"
  /** 400. The response type is not `code`. */
  | "UNSUPPORTED_RESPONSE_TYPE"
  /** 401. The credentials are missing or malformed, use the wrong scheme, or have an unknown or revoked token. */
  | "UNAUTHORIZED"
  /** 403. This is not the token of the webhook. */
  | "ACCESS_DENIED"
  /** 403. The account is scheduled for deletion. */
  | "ACCOUNT_SCHEDULED_FOR_DELETION"
  /** 403. The admin key lacks the access control for this operation. */
  | "MISSING_ACL"
  /** 403. The caller may not manage the guild, or gives a bot a permission that they lack there. */
  | "MISSING_PERMISSIONS"
  /** 404. There is nothing at this path. */
  | "NOT_FOUND"
  /** 404. There is no such guild, or the caller is not in it. */
  | "UNKNOWN_GUILD"
  /** 404. There is no such user. */
  | "UNKNOWN_USER"
  /** 404. There is no such webhook. */
  | "UNKNOWN_WEBHOOK"
  /** 405. The path does not support the method. */
  | "METHOD_NOT_ALLOWED"
  /** 408. The request did not arrive in time. */
  | "REQUEST_TIMEOUT"
  /** 409. The account is a system account. */
  | "CONFLICT"
  /** 413. The body is larger than the operation's limit. */
  | "PAYLOAD_TOO_LARGE"
  /** 415. The body is not declared as JSON in UTF-8, or is compressed. */
  | "UNSUPPORTED_MEDIA_TYPE"
  /** 417. The `Expect` header is not `100-continue`. */
  | "EXPECTATION_FAILED"
  /** 429. Too many requests. */
  | "RATE_LIMITED"
  /** 431. The request line and the headers are too large together. */
  | "HEADERS_TOO_LARGE"
  /** 500. The server failed unexpectedly. */
  | "INTERNAL_SERVER_ERROR"
  /** 503. The service is not available at the moment. */
  | "SERVICE_UNAVAILABLE"

/** The errors of requests that reach no operation. */
export type ProtocolErrorCode = "BAD_REQUEST" | "EXPECTATION_FAILED" | "HEADERS_TOO_LARGE" | "METHOD_NOT_ALLOWED" | "NOT_FOUND"
/** All codes of `ProtocolErrorCode`. */
export const PROTOCOL_ERRORS: ReadonlyArray<ProtocolErrorCode> = ["BAD_REQUEST","EXPECTATION_FAILED","HEADERS_TOO_LARGE","METHOD_NOT_ALLOWED","NOT_FOUND"]

/** The operations by group: their requests, responses and errors. */
export interface Operations {
  readonly oauth2: {
    /** Grant OAuth2 consent. Stores the current user's consent, adds the bot to the guild if requested, and returns the URL to which the user is redirected. */
    readonly grantConsent: {
      readonly request: {
        readonly body: ConsentRequest
      }
      readonly success: ConsentResult
      readonly errors: "ACCOUNT_SCHEDULED_FOR_DELETION" | "INTERNAL_SERVER_ERROR" | "INVALID_CLIENT" | "INVALID_FORM_BODY" | "INVALID_JSON" | "INVALID_REDIRECT_URI" | "INVALID_SCOPE" | "MISSING_PERMISSIONS" | "NOT_A_BOT_APPLICATION" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED" | "UNKNOWN_GUILD" | "UNSUPPORTED_MEDIA_TYPE" | "UNSUPPORTED_RESPONSE_TYPE"
    }
  }
  readonly scheduledMessages: {
    /** List scheduled messages. The current user's undelivered messages (pending, scheduled, invalid, failed), soonest first. */
    readonly list: {
      readonly request: {
        readonly query?: {
          /** Lists messages in these statuses instead, the latest `scheduled_at` first, at most 100. May be repeated. */
          readonly status?: ReadonlyArray<ScheduledMessageStatus>
        }
      }
      readonly success: ReadonlyArray<ScheduledMessage>
      readonly errors: "ACCOUNT_SCHEDULED_FOR_DELETION" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED"
    }
  }
  readonly guildMembers: {
    /** Search guild members. Searches and filters the members of a guild that the current user may manage. The total is exact. */
    readonly search: {
      readonly request: {
        readonly path: {
          /** The guild to search. */
          readonly guild_id: string
        }
        readonly body: MemberSearch
      }
      readonly success: MemberSearchResult
      readonly errors: "ACCOUNT_SCHEDULED_FOR_DELETION" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "MISSING_PERMISSIONS" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED" | "UNKNOWN_GUILD" | "UNSUPPORTED_MEDIA_TYPE"
    }
  }
  readonly administration: {
    /** Schedule account deletion. Schedules the deletion of an account, or replaces a scheduled one. Its tokens stop working immediately. Requires the acl `user:delete`. */
    readonly scheduleDeletion: {
      readonly request: {
        readonly body: ScheduleDeletion
      }
      readonly success: UserResult
      readonly errors: "CONFLICT" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "MISSING_ACL" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED" | "UNKNOWN_USER" | "UNSUPPORTED_MEDIA_TYPE"
    }
    /** Change user email. Changes the e-mail address of an account. The new one is neither verified nor bounced. Requires the acl `user:update:email`. */
    readonly changeEmail: {
      readonly request: {
        readonly body: ChangeEmail
      }
      readonly success: UserResult
      readonly errors: "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "MISSING_ACL" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED" | "UNKNOWN_USER" | "UNSUPPORTED_MEDIA_TYPE"
    }
  }
  readonly webhooks: {
    /** Execute code-hosting webhook. Accepts a notification of the code-hosting provider and posts a message about it. Events that make no message are accepted as well. */
    readonly executeCodeHost: {
      readonly request: {
        readonly path: {
          /** The webhook. */
          readonly webhook_id: string
          /** The webhook's secret token. */
          readonly token: string
        }
        readonly headers?: {
          /** The kind of event; inferred when left out. */
          readonly "x-github-event"?: string
          /** The delivery's id: one seen in the last 24 hours posts nothing again. */
          readonly "x-github-delivery"?: string
        }
        readonly body: CodeHostNotification
      }
      readonly success: void
      readonly errors: "ACCESS_DENIED" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNKNOWN_WEBHOOK" | "UNSUPPORTED_MEDIA_TYPE"
    }
    /** Execute error-tracking webhook. Accepts a notification of the error-tracking provider and posts a message about it. Events that make no message are accepted as well. */
    readonly executeErrorTracker: {
      readonly request: {
        readonly path: {
          /** The webhook. */
          readonly webhook_id: string
          /** The webhook's secret token. */
          readonly token: string
        }
        readonly headers?: {
          /** What the notification is about; inferred when left out. */
          readonly "sentry-hook-resource"?: string
          /** The delivery's id: one seen in the last 24 hours posts nothing again. */
          readonly "request-id"?: string
        }
        readonly body: ErrorTrackerNotification
      }
      readonly success: void
      readonly errors: "ACCESS_DENIED" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNKNOWN_WEBHOOK" | "UNSUPPORTED_MEDIA_TYPE"
    }
    /** Update webhook with token. Changes the name and the avatar of the webhook. */
    readonly update: {
      readonly request: {
        readonly path: {
          /** The webhook. */
          readonly webhook_id: string
          /** The webhook's secret token. */
          readonly token: string
        }
        readonly body: UpdateWebhook
      }
      readonly success: Webhook
      readonly errors: "ACCESS_DENIED" | "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "UNKNOWN_WEBHOOK" | "UNSUPPORTED_MEDIA_TYPE"
    }
  }
  readonly logs: {
    /** Stream events (extension). All past and future events in order, each at least once; with `from=now`, future events only. Requires the acl `events:read`. */
    readonly streamEvents: {
      readonly request: {
        readonly query?: {
          /** A sequence number: the stream begins after it, or at the end of the log if that is smaller. By default, it begins at the oldest stored event. */
          readonly after?: number
          /** `now`: the stream begins with the next event. Cannot be combined with `after`. */
          readonly from?: "now"
        }
      }
      readonly success: AsyncIterable<Event>
      readonly errors: "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "MISSING_ACL" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED"
    }
    /** Read the audit log (extension). The administrative operations: who, what, when, the values before and after. Requires the acl `audit:read`. */
    readonly readAuditLog: {
      readonly request: {
        readonly query?: {
          /** A sequence number: the page begins after it. */
          readonly after?: number
          /** Maximum records to return; 50 by default. */
          readonly limit?: number
        }
      }
      readonly success: AuditPage
      readonly errors: "INTERNAL_SERVER_ERROR" | "INVALID_FORM_BODY" | "MISSING_ACL" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "UNAUTHORIZED"
    }
  }
}

/** How each operation is sent. */
export const OPERATIONS: {
  readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: Operation }
} = {
  oauth2: {
    grantConsent: {
      id: "oauth2.grantConsent",
      method: "POST",
      path: "/v1/oauth2/authorize/consent",
      query: [],
      headers: [],
      body: true,
      credentials: "bot",
      success: [200],
      response: "json",
      idempotent: false,
      errors: ["ACCOUNT_SCHEDULED_FOR_DELETION","INTERNAL_SERVER_ERROR","INVALID_CLIENT","INVALID_FORM_BODY","INVALID_JSON","INVALID_REDIRECT_URI","INVALID_SCOPE","MISSING_PERMISSIONS","NOT_A_BOT_APPLICATION","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNAUTHORIZED","UNKNOWN_GUILD","UNSUPPORTED_MEDIA_TYPE","UNSUPPORTED_RESPONSE_TYPE"]
    }
  },
  scheduledMessages: {
    list: {
      id: "scheduledMessages.list",
      method: "GET",
      path: "/v1/users/@me/scheduled-messages",
      query: ["status"],
      headers: [],
      body: false,
      credentials: "bot",
      success: [200],
      response: "json",
      idempotent: true,
      errors: ["ACCOUNT_SCHEDULED_FOR_DELETION","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","RATE_LIMITED","SERVICE_UNAVAILABLE","UNAUTHORIZED"]
    }
  },
  guildMembers: {
    search: {
      id: "guildMembers.search",
      method: "POST",
      path: "/v1/guilds/{guild_id}/members-search",
      query: [],
      headers: [],
      body: true,
      credentials: "bot",
      success: [200],
      response: "json",
      idempotent: true,
      errors: ["ACCOUNT_SCHEDULED_FOR_DELETION","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","MISSING_PERMISSIONS","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNAUTHORIZED","UNKNOWN_GUILD","UNSUPPORTED_MEDIA_TYPE"]
    }
  },
  administration: {
    scheduleDeletion: {
      id: "administration.scheduleDeletion",
      method: "POST",
      path: "/v1/admin/users/schedule-deletion",
      query: [],
      headers: [],
      body: true,
      credentials: "admin",
      success: [200],
      response: "json",
      idempotent: false,
      errors: ["CONFLICT","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","MISSING_ACL","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNAUTHORIZED","UNKNOWN_USER","UNSUPPORTED_MEDIA_TYPE"]
    },
    changeEmail: {
      id: "administration.changeEmail",
      method: "POST",
      path: "/v1/admin/users/change-email",
      query: [],
      headers: [],
      body: true,
      credentials: "admin",
      success: [200],
      response: "json",
      idempotent: true,
      errors: ["INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","MISSING_ACL","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNAUTHORIZED","UNKNOWN_USER","UNSUPPORTED_MEDIA_TYPE"]
    }
  },
  webhooks: {
    executeCodeHost: {
      id: "webhooks.executeCodeHost",
      method: "POST",
      path: "/v1/webhooks/{webhook_id}/{token}/github",
      query: [],
      headers: ["x-github-event","x-github-delivery"],
      body: true,
      credentials: "none",
      success: [204],
      response: "nothing",
      idempotent: false,
      errors: ["ACCESS_DENIED","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNKNOWN_WEBHOOK","UNSUPPORTED_MEDIA_TYPE"]
    },
    executeErrorTracker: {
      id: "webhooks.executeErrorTracker",
      method: "POST",
      path: "/v1/webhooks/{webhook_id}/{token}/sentry",
      query: [],
      headers: ["sentry-hook-resource","request-id"],
      body: true,
      credentials: "none",
      success: [204],
      response: "nothing",
      idempotent: false,
      errors: ["ACCESS_DENIED","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNKNOWN_WEBHOOK","UNSUPPORTED_MEDIA_TYPE"]
    },
    update: {
      id: "webhooks.update",
      method: "PATCH",
      path: "/v1/webhooks/{webhook_id}/{token}",
      query: [],
      headers: [],
      body: true,
      credentials: "none",
      success: [200],
      response: "json",
      idempotent: true,
      errors: ["ACCESS_DENIED","INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","INVALID_JSON","PAYLOAD_TOO_LARGE","RATE_LIMITED","REQUEST_TIMEOUT","SERVICE_UNAVAILABLE","UNKNOWN_WEBHOOK","UNSUPPORTED_MEDIA_TYPE"]
    }
  },
  logs: {
    streamEvents: {
      id: "logs.streamEvents",
      method: "GET",
      path: "/v1/admin/events",
      query: ["after","from"],
      headers: ["last-event-id"],
      body: false,
      credentials: "admin",
      success: [200],
      response: "events",
      idempotent: true,
      errors: ["INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","MISSING_ACL","RATE_LIMITED","SERVICE_UNAVAILABLE","UNAUTHORIZED"]
    },
    readAuditLog: {
      id: "logs.readAuditLog",
      method: "GET",
      path: "/v1/admin/audit-log",
      query: ["after","limit"],
      headers: [],
      body: false,
      credentials: "admin",
      success: [200],
      response: "json",
      idempotent: true,
      errors: ["INTERNAL_SERVER_ERROR","INVALID_FORM_BODY","MISSING_ACL","RATE_LIMITED","SERVICE_UNAVAILABLE","UNAUTHORIZED"]
    }
  }
}
