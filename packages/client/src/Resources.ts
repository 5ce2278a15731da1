// Made from the definition of the API by `npm run generate`. Do not edit.
// dprint-ignore-file

/** Which mentions in a message may notify users. */
export interface AllowedMentions {
  readonly parse?: ReadonlyArray<string>
  readonly users?: ReadonlyArray<string>
  readonly roles?: ReadonlyArray<string>
  readonly replied_user?: boolean
}

/** A file of a message. */
export interface Attachment {
  readonly id?: string
  readonly filename?: string
  readonly size?: number
  readonly flags?: number
  readonly title?: string
  readonly description?: string
  readonly content_type?: string
  readonly content_hash?: string
  readonly url?: string
  readonly proxy_url?: string
  readonly width?: number
  readonly height?: number
  readonly placeholder?: string
  readonly nsfw?: boolean
  readonly duration?: number
  readonly waveform?: string
  readonly expires_at?: string
  readonly expired?: boolean
}

/** A page of the audit log, oldest first. */
export interface AuditPage {
  readonly records: ReadonlyArray<AuditRecord>
  /** The value of `after` for the next page; null on the last page. */
  readonly next_after: number | null
}

/** What an administrator did. Personal data is masked. */
export interface AuditRecord {
  readonly sequence: number
  readonly at: string
  readonly actor: {
    readonly type: "admin_key" | "command_line"
    readonly key_id: string | null
    readonly name: string | null
  }
  /** Such as `user.change_email`. */
  readonly action: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly target_id: string
  /** The changed fields with their old values. */
  readonly before: Readonly<Record<string, string | number | boolean | null>>
  /** The changed fields with their new values. */
  readonly after: Readonly<Record<string, string | number | boolean | null>>
}

/** The account and its new e-mail address. */
export interface ChangeEmail {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly user_id: string
  /** At most 254 characters, at most 64 of them before the @; white space around it is ignored. */
  readonly email: string
}

/** An embed inside an embed. */
export interface ChildEmbed {
  readonly type?: string
  readonly url?: string
  readonly title?: string
  readonly color?: number
  readonly timestamp?: string
  readonly description?: string
  readonly author?: EmbedSource
  readonly image?: EmbedMedia
  readonly thumbnail?: EmbedMedia
  readonly video?: EmbedMedia
  readonly audio?: EmbedMedia
  readonly footer?: EmbedFooter
  readonly fields?: ReadonlyArray<EmbedField>
  readonly provider?: EmbedSource
  readonly nsfw?: boolean
}

/** An account at the code host. */
export interface CodeHostActor {
  readonly id?: string | number | null
  readonly login?: string | null
  readonly html_url?: string | null
  readonly avatar_url?: string | null
}

export interface CodeHostCheckRun {
  readonly name?: string | null
  readonly html_url?: string | null
  readonly check_suite?: CodeHostCheckSuite | null
  readonly conclusion?: string | null
  readonly details_url?: string | null
  readonly output?: {
    readonly title?: string | null
    readonly summary?: string | null
  } | null
  readonly pull_requests?: ReadonlyArray<{
    readonly number?: number | null
  }> | null
}

export interface CodeHostCheckSuite {
  readonly head_sha?: string | null
  readonly app?: {
    readonly name?: string | null
  } | null
  readonly conclusion?: string | null
  readonly head_branch?: string | null
  readonly pull_requests?: ReadonlyArray<{
    readonly number?: number | null
  }> | null
}

export interface CodeHostComment {
  readonly id?: string | number | null
  readonly html_url?: string | null
  readonly user?: CodeHostActor | null
  readonly body?: string | null
  readonly commit_id?: string | null
  /** The file that the comment is on. Ignored when it is something else. */
  readonly path?: string | null
}

export interface CodeHostCommit {
  readonly id?: string | number | null
  readonly url?: string | null
  readonly message?: string | null
  readonly author?: {
    readonly name?: string | null
    readonly username?: string | null
  } | null
}

export interface CodeHostDiscussion {
  readonly title?: string | null
  readonly number?: number | null
  readonly html_url?: string | null
  readonly user?: CodeHostActor | null
  readonly answer_html_url?: string | null
  readonly body?: string | null
  /** The category. Ignored when it is something else. */
  readonly category?: {
    readonly name?: string | null
  } | null
}

export interface CodeHostIssue {
  readonly id?: string | number | null
  readonly number?: number | null
  readonly html_url?: string | null
  readonly user?: CodeHostActor | null
  readonly title?: string | null
  readonly body?: string | null
  /** Why the issue is closed. Ignored when it is something else. */
  readonly state_reason?: string | null
  /** Present if the issue is a pull request. Ignored when it is something else. */
  readonly pull_request?: Readonly<Record<string, unknown>> | null
}

/** A notification by the code host. Other fields are ignored. */
export interface CodeHostNotification {
  readonly sender: CodeHostSender
  readonly action?: string | null
  readonly answer?: CodeHostComment | null
  readonly check_run?: CodeHostCheckRun | null
  readonly check_suite?: CodeHostCheckSuite | null
  readonly comment?: CodeHostComment | null
  readonly commits?: ReadonlyArray<CodeHostCommit> | null
  readonly compare?: string | null
  readonly discussion?: CodeHostDiscussion | null
  readonly forced?: boolean | null
  readonly forkee?: CodeHostRepository | null
  readonly head_commit?: CodeHostCommit | null
  readonly issue?: CodeHostIssue | null
  readonly member?: CodeHostActor | null
  readonly pull_request?: CodeHostPullRequest | null
  readonly ref_type?: string | null
  readonly ref?: string | null
  readonly release?: CodeHostRelease | null
  readonly repository?: CodeHostRepository | null
  readonly review?: CodeHostReview | null
  /** The commit before the push. Ignored when it is something else. */
  readonly before?: string | null
  /** The commit after the push. Ignored when it is something else. */
  readonly after?: string | null
  /** Whether the push created the branch or tag. Ignored when it is something else. */
  readonly created?: boolean | null
  /** Whether the push deleted the branch or tag. Ignored when it is something else. */
  readonly deleted?: boolean | null
  /** The main branch. Present when a branch or tag is created. Ignored when it is something else. */
  readonly master_branch?: string | null
}

export interface CodeHostPullRequest {
  readonly id?: string | number | null
  readonly number?: number | null
  readonly html_url?: string | null
  readonly user?: CodeHostActor | null
  readonly title?: string | null
  readonly body?: string | null
  /** Whether the pull request was merged. Ignored when it is something else. */
  readonly merged?: boolean | null
  /** Whether the pull request is a draft. Ignored when it is something else. */
  readonly draft?: boolean | null
}

export interface CodeHostRelease {
  readonly id?: string | number | null
  readonly tag_name?: string | null
  readonly html_url?: string | null
  readonly body?: string | null
  /** The name of the release. Ignored when it is something else. */
  readonly name?: string | null
  /** Whether the release is a pre-release. Ignored when it is something else. */
  readonly prerelease?: boolean | null
}

export interface CodeHostRepository {
  readonly id?: string | number | null
  readonly html_url?: string | null
  readonly name?: string | null
  readonly full_name?: string | null
}

export interface CodeHostReview {
  readonly user?: CodeHostActor | null
  readonly html_url?: string | null
  readonly state?: string | null
  readonly body?: string | null
}

/** The account that caused the event. */
export interface CodeHostSender {
  readonly id?: string | number | null
  readonly login: string
  readonly html_url?: string | null
  readonly avatar_url?: string | null
}

/** What the current user consents to. */
export interface ConsentRequest {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly client_id: string
  /** Scopes, separated by spaces: identify, email, guilds, connections, bot. */
  readonly scope: string
  /** `code`, also when left out. */
  readonly response_type?: string
  /** Exactly as registered. May be left out where one is registered, or where `bot` is the only scope. */
  readonly redirect_uri?: string
  /** Returned unchanged, to prevent cross-site request forgery. */
  readonly state?: string
  /** The permissions of the bot, a bit set as a decimal number of at most 78 digits; unknown bits are ignored. */
  readonly permissions?: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly guild_id?: string
}

/** The consent was granted. */
export interface ConsentResult {
  /** The URL to which the user is redirected after consent. */
  readonly redirect_to: string
}

/** Rich content shown below a message's text. */
export interface Embed {
  readonly type?: string
  readonly url?: string
  readonly title?: string
  readonly color?: number
  readonly timestamp?: string
  readonly description?: string
  readonly author?: EmbedSource
  readonly image?: EmbedMedia
  readonly thumbnail?: EmbedMedia
  readonly video?: EmbedMedia
  readonly audio?: EmbedMedia
  readonly footer?: EmbedFooter
  readonly fields?: ReadonlyArray<EmbedField>
  readonly provider?: EmbedSource
  readonly nsfw?: boolean
  readonly children?: ReadonlyArray<ChildEmbed>
}

/** A named value in an embed. */
export interface EmbedField {
  readonly name?: string
  readonly value?: string
  readonly inline?: boolean
}

/** The footer of an embed. */
export interface EmbedFooter {
  readonly text?: string
  readonly icon_url?: string
  readonly proxy_icon_url?: string
}

/** An image, video or audio of an embed. */
export interface EmbedMedia {
  readonly url?: string
  readonly flags?: number
  readonly proxy_url?: string
  readonly content_type?: string
  readonly content_hash?: string
  readonly width?: number
  readonly height?: number
  readonly description?: string
  readonly placeholder?: string
  readonly duration?: number
}

/** The author or the provider of the content of an embed. */
export interface EmbedSource {
  readonly name?: string
  readonly url?: string
  readonly icon_url?: string
  readonly proxy_icon_url?: string
}

/** A group of equal errors. */
export interface ErrorTrackerIssue {
  readonly id?: string | number | null
  readonly shortId?: string | null
  readonly title?: string | null
  readonly permalink?: string | null
  readonly level?: string | null
  readonly status?: string | null
  readonly platform?: string | null
  readonly project?: ErrorTrackerProject | null
  readonly type?: string | null
  readonly metadata?: {
    readonly value?: string | null
    readonly type?: string | null
  } | null
  readonly count?: string | number | null
  readonly userCount?: string | number | null
  readonly firstSeen?: string | null
  readonly lastSeen?: string | null
  readonly culprit?: string | null
  /** The page of the issue, for where there is no `permalink`. Ignored when it is something else. */
  readonly web_url?: string | null
  /** The address of the issue in the tracker's API. Ignored when it is something else. */
  readonly url?: string | null
  /** The page of the issue's project. Ignored when it is something else. */
  readonly project_url?: string | null
  /** The detailed status. Ignored when it is something else. */
  readonly substatus?: string | null
  /** Who the issue is assigned to. Ignored when it is something else. */
  readonly assignedTo?: {
    readonly name?: string | null
  } | null
}

/** A notification by the error tracker. Other fields are ignored. */
export interface ErrorTrackerNotification {
  readonly action?: string | null
  readonly installation?: {
    readonly uuid?: string | null
  } | null
  readonly data?: {
    readonly issue?: ErrorTrackerIssue | null
    /** The event that an issue alert is about. Ignored when it is something else. */
    readonly event?: {
      readonly title?: string | null
      readonly web_url?: string | null
      readonly issue_url?: string | null
      readonly issue_id?: string | null
      readonly level?: string | null
      readonly culprit?: string | null
    } | null
    /** The rule of an issue alert. Ignored when it is something else. */
    readonly triggered_rule?: string | null
    /** The metric alert, with its projects and its rule. Ignored when it is something else. */
    readonly metric_alert?: Readonly<Record<string, unknown>> | null
    /** The title of a metric alert. Ignored when it is something else. */
    readonly description_title?: string | null
    /** What a metric alert tells. Ignored when it is something else. */
    readonly description_text?: string | null
    /** The page of a metric alert. Ignored when it is something else. */
    readonly web_url?: string | null
  } | null
  readonly actor?: {
    readonly type?: string | null
    readonly id?: string | number | null
    readonly name?: string | null
  } | null
}

export interface ErrorTrackerProject {
  readonly id?: string | number | null
  readonly name?: string | null
  readonly slug?: string | null
  readonly platform?: string | null
}

/** A change of state. */
export interface Event {
  readonly sequence: number
  readonly occurred_at: string
  /** Such as `message.created`. */
  readonly type: string
  readonly version: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A member of a guild with the names of the account. */
export interface GuildMember {
  /** guild_id:user_id */
  readonly id: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly guild_id: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly user_id: string
  readonly username: string
  /** Four digits. */
  readonly discriminator: string
  readonly global_name: string | null
  readonly nickname: string | null
  readonly role_ids: ReadonlyArray<string>
  /** Unix time in whole seconds. */
  readonly joined_at: number
  readonly supplemental: {
    readonly source_invite_code: string | null
    readonly inviter_id: string | null
    readonly join_source_type: number | null
  }
  readonly is_bot: boolean
}

/** A search for members of a guild. */
export interface MemberSearch {
  /** Text matched against usernames, global names and nicknames. Blank text matches all members. */
  readonly query?: string
  /** Maximum results to return; 25 when left out. */
  readonly limit?: number
  /** Results to skip; 0 when left out. */
  readonly offset?: number
  /** The member must have all of these roles. */
  readonly role_ids?: ReadonlyArray<string>
  /** Joined at or after this Unix timestamp, in seconds. */
  readonly joined_at_gte?: number
  /** Joined at or before this Unix timestamp, in seconds. */
  readonly joined_at_lte?: number
  /** The member joined in one of these ways. */
  readonly join_source_type?: ReadonlyArray<number>
  /** The member joined with one of these invites. */
  readonly source_invite_code?: ReadonlyArray<string>
  /** Filter by bot status. */
  readonly is_bot?: boolean
  /** Account created at or after this Unix timestamp, in seconds. */
  readonly user_created_at_gte?: number
  /** Account created at or before this Unix timestamp, in seconds. */
  readonly user_created_at_lte?: number
  /** Sort field; joinedAt when left out. */
  readonly sort_by?: "joinedAt" | "relevance"
  /** Sort direction; desc when left out. */
  readonly sort_order?: "asc" | "desc"
}

/** A page of matching members. */
export interface MemberSearchResult {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly guild_id: string
  /** Matching members. */
  readonly members: ReadonlyArray<GuildMember>
  /** Number of results in this page. */
  readonly page_result_count: number
  /** Total number of matching results. */
  readonly total_result_count: number
  /** Whether the guild's members are currently being indexed: the page is empty then. */
  readonly indexing: boolean
}

/** The content of a message. */
export interface MessagePayload {
  readonly content: string | null
  readonly tts?: boolean
  readonly embeds?: ReadonlyArray<Embed>
  readonly attachments?: ReadonlyArray<Attachment>
  readonly stickers?: ReadonlyArray<Sticker>
  readonly sticker_ids?: ReadonlyArray<string>
  readonly allowed_mentions?: AllowedMentions
  readonly message_reference?: MessageReference
  readonly flags: number
  readonly nonce?: string
  readonly favorite_meme_id?: string
}

/** The message that a message refers to. */
export interface MessageReference {
  readonly message_id?: string
  readonly channel_id?: string
  readonly guild_id?: string
  readonly type?: number
}

/** The account to delete, the reason and the time. */
export interface ScheduleDeletion {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly user_id: string
  /** Code indicating the reason for deletion. */
  readonly reason_code: number
  /** Public-facing reason. */
  readonly public_reason?: string
  /** Days until the account is deleted; 60 unless the operator sets another default. */
  readonly days_until_deletion?: number
}

/** A message that is posted at a later time. */
export interface ScheduledMessage {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly id: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly channel_id: string
  readonly scheduled_at: string
  /** The planned time on the clocks of `timezone`, without an offset. */
  readonly scheduled_local_at: string
  /** The name of a time zone in the IANA database. */
  readonly timezone: string
  readonly status: ScheduledMessageStatus
  readonly status_reason: string | null
  readonly payload: MessagePayload
  readonly created_at: string
  readonly invalidated_at: string | null
}

export type ScheduledMessageStatus = "pending" | "invalid" | "scheduled" | "sent" | "failed" | "cancelled"

/** A sticker of a message. */
export interface Sticker {
  readonly id?: string
  readonly name?: string
  readonly animated?: boolean
}

/** The changes to a webhook. Missing fields keep their values. */
export interface UpdateWebhook {
  /** 1 to 80 characters, after control characters and surrounding white space are removed. */
  readonly name?: string
  /** The new image; null removes it. */
  readonly avatar?: string | null
}

/** An account as administrators see it. */
export interface User {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly id: string
  readonly username: string
  readonly discriminator: number
  readonly global_name: string | null
  readonly bot: boolean
  readonly system: boolean
  /** A bit set as a decimal number. */
  readonly flags: string
  readonly avatar: string | null
  readonly banner: string | null
  readonly bio: string | null
  readonly pronouns: string | null
  readonly accent_color: number | null
  readonly email: string | null
  readonly email_verified: boolean | null
  readonly email_bounced: boolean | null
  readonly phone: string | null
  readonly date_of_birth: string | null
  readonly locale: string | null
  readonly premium_type: number | null
  readonly premium_since: string | null
  readonly premium_until: string | null
  readonly suspicious_activity_flags: number
  readonly temp_banned_until: string | null
  readonly pending_deletion_at: string | null
  readonly pending_bulk_message_deletion_at: string | null
  readonly deletion_reason_code: number | null
  readonly deletion_public_reason: string | null
  readonly acls: ReadonlyArray<string>
  readonly traits: ReadonlyArray<string>
  readonly has_totp: boolean
  readonly authenticator_types: ReadonlyArray<number>
  readonly last_active_at: string | null
  readonly last_active_ip: string | null
  readonly last_active_ip_reverse: string | null
  readonly last_active_location: string | null
}

/** The account after the operation. */
export interface UserResult {
  readonly user: User
}

/** A violation in a request. */
export interface Violation {
  /** Where: dotted with array indexes, the name of a parameter, or `root` for the body as a whole. */
  readonly path: string
  /** For people: what the value must be. */
  readonly message: string
  readonly code: ViolationCode
}

/** The kind of violation. */
export type ViolationCode = "INVALID_FORMAT" | "REQUIRED" | "INVALID_SNOWFLAKE_FORMAT" | "SNOWFLAKE_OUT_OF_RANGE" | "STRING_LENGTH_INVALID" | "NUMBER_OUT_OF_RANGE" | "TOO_MANY_ITEMS" | "INVALID_ENUM_VALUE" | "INVALID_EMAIL_FORMAT" | "EMAIL_ALREADY_IN_USE" | "INVALID_IMAGE_FORMAT" | "IMAGE_TOO_LARGE"

/** A webhook. */
export interface Webhook {
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly id: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly guild_id: string
  /** A snowflake: decimal digits without leading zeros, at most 9223372036854775807. */
  readonly channel_id: string
  /** The display name. */
  readonly name: string
  /** The secret token of the webhook. */
  readonly token: string
  /** The hash of the avatar image. */
  readonly avatar: string | null
}
