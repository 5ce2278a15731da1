// Made from the definition of the API by `npm run generate`. Do not edit.
// dprint-ignore-file

/** Which mentions in a message may notify users. */
export interface AllowedMentions {
  /** The kinds of mentions that notify, such as `users`. */
  readonly parse?: ReadonlyArray<string>
  /** The accounts that may be notified. */
  readonly users?: ReadonlyArray<string>
  /** The roles that may be notified. */
  readonly roles?: ReadonlyArray<string>
  /** Whether the author of the message that this one replies to is notified. */
  readonly replied_user?: boolean
}

/** A file of a message. */
export interface Attachment {
  /** Identifies the file. */
  readonly id?: string
  /** The name of the file. */
  readonly filename?: string
  /** In bytes. */
  readonly size?: number
  /** Properties of the file, a bit set. */
  readonly flags?: number
  /** The title. */
  readonly title?: string
  /** What it shows, for those who cannot see it. */
  readonly description?: string
  /** The media type, such as `image/png`. */
  readonly content_type?: string
  /** The hash of the content. */
  readonly content_hash?: string
  /** The address of the file. */
  readonly url?: string
  /** The address of the platform's copy. */
  readonly proxy_url?: string
  /** In pixels. */
  readonly width?: number
  /** In pixels. */
  readonly height?: number
  /** A tiny preview, as text. */
  readonly placeholder?: string
  /** Whether the content is for adults only. */
  readonly nsfw?: boolean
  /** In seconds. */
  readonly duration?: number
  /** The loudness of a voice message over time, as text. */
  readonly waveform?: string
  /** When the address stops working. */
  readonly expires_at?: string
  /** Whether the address stopped working. */
  readonly expired?: boolean
}

/** A page of the audit log, oldest first. */
export interface AuditPage {
  /** The records. */
  readonly records: ReadonlyArray<AuditRecord>
  /** The value of `after` for the next page; null on the last page. */
  readonly next_after: number | null
}

/** What an administrator did. Personal data is masked. */
export interface AuditRecord {
  /** The sequence number in the log. */
  readonly sequence: number
  /** When it was done. */
  readonly at: string
  /** Who did it. */
  readonly actor: {
    /** Over HTTP, at the command line of the server, or by a program that embeds the service. */
    readonly type: "admin_key" | "command_line" | "program"
    /** The admin key; null for other actors. */
    readonly key_id: string | null
    /** The name of the admin key; null for other actors. */
    readonly name: string | null
  }
  /** What was done, such as `user.change_email`. */
  readonly action: string
  /** The account, credential or webhook that was changed. */
  readonly target_id: string
  /** The changed fields with their old values. */
  readonly before: Readonly<Record<string, string | number | boolean | null>>
  /** The changed fields with their new values. */
  readonly after: Readonly<Record<string, string | number | boolean | null>>
}

/** The account and its new e-mail address. */
export interface ChangeEmail {
  /** The account. */
  readonly user_id: string
  /** The new address: at most 254 characters, at most 64 of them before the @; white space around it is ignored. */
  readonly email: string
}

/** An embed inside an embed. */
export interface ChildEmbed {
  /** The kind of embed; `rich` in messages of webhooks. */
  readonly type?: string
  /** Where the title links to. */
  readonly url?: string
  /** The title. */
  readonly title?: string
  /** The colour of the edge, 24-bit RGB. Other values are returned unchanged. */
  readonly color?: number
  /** The time that the content is about. */
  readonly timestamp?: string
  /** The text. */
  readonly description?: string
  /** Who wrote the content. */
  readonly author?: EmbedSource
  /** A large image. */
  readonly image?: EmbedMedia
  /** A small image. */
  readonly thumbnail?: EmbedMedia
  /** A video. */
  readonly video?: EmbedMedia
  /** An audio file. */
  readonly audio?: EmbedMedia
  /** What is shown below. */
  readonly footer?: EmbedFooter
  /** Named values. */
  readonly fields?: ReadonlyArray<EmbedField>
  /** Where the content is from. */
  readonly provider?: EmbedSource
  /** Whether the content is for adults only. */
  readonly nsfw?: boolean
}

/** An account at the code host. */
export interface CodeHostActor {
  /** Identifies the account. */
  readonly id?: string | number | null
  /** The name of the account. */
  readonly login?: string | null
  /** The page of the account. */
  readonly html_url?: string | null
  /** The image of the account. */
  readonly avatar_url?: string | null
}

/** A check of a commit. */
export interface CodeHostCheckRun {
  /** The name of the check. */
  readonly name?: string | null
  /** The page of the check. */
  readonly html_url?: string | null
  /** The suite that the check belongs to. */
  readonly check_suite?: CodeHostCheckSuite | null
  /** The result, such as `success`. */
  readonly conclusion?: string | null
  /** The page of the application that checks. */
  readonly details_url?: string | null
  /** What the check reports. */
  readonly output?: {
    /** The title. */
    readonly title?: string | null
    /** The summary, in Markdown. */
    readonly summary?: string | null
  } | null
  /** The pull requests that are checked. */
  readonly pull_requests?: ReadonlyArray<{
    /** The number of the pull request. */
    readonly number?: number | null
  }> | null
}

/** The checks of one application on a commit. */
export interface CodeHostCheckSuite {
  /** The hash of the commit that is checked. */
  readonly head_sha?: string | null
  /** The application that checks. */
  readonly app?: {
    /** The name of the application. */
    readonly name?: string | null
  } | null
  /** The result, such as `success`. */
  readonly conclusion?: string | null
  /** The branch that is checked. */
  readonly head_branch?: string | null
  /** The pull requests that are checked. */
  readonly pull_requests?: ReadonlyArray<{
    /** The number of the pull request. */
    readonly number?: number | null
  }> | null
}

/** A comment. */
export interface CodeHostComment {
  /** Identifies the comment. */
  readonly id?: string | number | null
  /** The page of the comment. */
  readonly html_url?: string | null
  /** Who wrote the comment. */
  readonly user?: CodeHostActor | null
  /** The text, in Markdown. */
  readonly body?: string | null
  /** The hash of the commit that the comment is on. */
  readonly commit_id?: string | null
  /** The file that the comment is on. A value of another type is ignored. */
  readonly path?: string | null
}

/** A commit. */
export interface CodeHostCommit {
  /** The hash of the commit. */
  readonly id?: string | number | null
  /** The page of the commit. */
  readonly url?: string | null
  /** The commit message. */
  readonly message?: string | null
  /** Who wrote the commit. */
  readonly author?: {
    /** The author's name. */
    readonly name?: string | null
    /** The author's account. */
    readonly username?: string | null
  } | null
}

/** A discussion. */
export interface CodeHostDiscussion {
  /** The title. */
  readonly title?: string | null
  /** The number in the repository. */
  readonly number?: number | null
  /** The page of the discussion. */
  readonly html_url?: string | null
  /** Who began the discussion. */
  readonly user?: CodeHostActor | null
  /** The page of the answer. */
  readonly answer_html_url?: string | null
  /** The text, in Markdown. */
  readonly body?: string | null
  /** The category. A value of another type is ignored. */
  readonly category?: {
    /** The name of the category. */
    readonly name?: string | null
  } | null
}

/** An issue. */
export interface CodeHostIssue {
  /** Identifies it among all repositories. */
  readonly id?: string | number | null
  /** The number in the repository. */
  readonly number?: number | null
  /** The page. */
  readonly html_url?: string | null
  /** Who opened it. */
  readonly user?: CodeHostActor | null
  /** The title. */
  readonly title?: string | null
  /** The text, in Markdown. */
  readonly body?: string | null
  /** Why the issue is closed. A value of another type is ignored. */
  readonly state_reason?: string | null
  /** Present if the issue is a pull request. A value of another type is ignored. */
  readonly pull_request?: {
    /** The page of the pull request; not read. */
    readonly html_url?: string | null
  } | null
}

/** A notification by the code host. Other fields are ignored. */
export interface CodeHostNotification {
  /** The account that caused the event. */
  readonly sender: CodeHostActor
  /** What happened, such as `opened`. */
  readonly action?: string | null
  /** The answer to the discussion. */
  readonly answer?: CodeHostComment | null
  /** The check. */
  readonly check_run?: CodeHostCheckRun | null
  /** The suite of checks. */
  readonly check_suite?: CodeHostCheckSuite | null
  /** The comment. */
  readonly comment?: CodeHostComment | null
  /** The pushed commits. The first 100 are read. */
  readonly commits?: ReadonlyArray<CodeHostCommit> | null
  /** The page that shows all pushed changes. */
  readonly compare?: string | null
  /** The discussion. */
  readonly discussion?: CodeHostDiscussion | null
  /** Whether the push replaced commits. */
  readonly forced?: boolean | null
  /** The new repository of a fork. */
  readonly forkee?: CodeHostRepository | null
  /** The last pushed commit. */
  readonly head_commit?: CodeHostCommit | null
  /** The issue, or the pull request of a comment. */
  readonly issue?: CodeHostIssue | null
  /** Who was added to the repository. */
  readonly member?: CodeHostActor | null
  /** The pull request. */
  readonly pull_request?: CodeHostPullRequest | null
  /** `branch` or `tag`, when one is created or deleted. */
  readonly ref_type?: string | null
  /** The branch or tag, such as `refs/heads/main`. */
  readonly ref?: string | null
  /** The release. */
  readonly release?: CodeHostRelease | null
  /** The repository that the event is about. */
  readonly repository?: CodeHostRepository | null
  /** The review. */
  readonly review?: CodeHostReview | null
  /** The commit before the push. A value of another type is ignored. */
  readonly before?: string | null
  /** The commit after the push. A value of another type is ignored. */
  readonly after?: string | null
  /** Whether the push created the branch or tag. A value of another type is ignored. */
  readonly created?: boolean | null
  /** Whether the push deleted the branch or tag. A value of another type is ignored. */
  readonly deleted?: boolean | null
  /** The main branch. Present when a branch or tag is created. A value of another type is ignored. */
  readonly master_branch?: string | null
}

/** A pull request. */
export interface CodeHostPullRequest {
  /** Identifies it among all repositories. */
  readonly id?: string | number | null
  /** The number in the repository. */
  readonly number?: number | null
  /** The page. */
  readonly html_url?: string | null
  /** Who opened it. */
  readonly user?: CodeHostActor | null
  /** The title. */
  readonly title?: string | null
  /** The text, in Markdown. */
  readonly body?: string | null
  /** Whether the pull request was merged. A value of another type is ignored. */
  readonly merged?: boolean | null
  /** Whether the pull request is a draft. A value of another type is ignored. */
  readonly draft?: boolean | null
}

/** A release. */
export interface CodeHostRelease {
  /** Identifies the release. */
  readonly id?: string | number | null
  /** The tag of the release. */
  readonly tag_name?: string | null
  /** The page of the release. */
  readonly html_url?: string | null
  /** The text, in Markdown. */
  readonly body?: string | null
  /** The name of the release. A value of another type is ignored. */
  readonly name?: string | null
  /** Whether the release is a pre-release. A value of another type is ignored. */
  readonly prerelease?: boolean | null
}

/** A repository. */
export interface CodeHostRepository {
  /** Identifies the repository. */
  readonly id?: string | number | null
  /** The page of the repository. */
  readonly html_url?: string | null
  /** The name without its owner. */
  readonly name?: string | null
  /** The name with its owner, such as `riverside/kiln`. */
  readonly full_name?: string | null
}

/** A review of a pull request. */
export interface CodeHostReview {
  /** Who reviewed. */
  readonly user?: CodeHostActor | null
  /** The page of the review. */
  readonly html_url?: string | null
  /** The verdict, such as `approved`. */
  readonly state?: string | null
  /** The text, in Markdown. */
  readonly body?: string | null
}

/** A user gave an application access. */
export interface ConsentGrantedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "consent.granted"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The account. */
    readonly user_id: string
    /** The application. */
    readonly client_id: string
    /** What it may do. */
    readonly scopes: ReadonlyArray<string>
    /** The guild that its bot joined; null if none. */
    readonly guild_id: string | null
    /** What its bot may do there, as a decimal bit set; null if no bot joined. */
    readonly permissions: string | null
  }
}

/** What the current user consents to. */
export interface ConsentRequest {
  /** The application that asks for consent. */
  readonly client_id: string
  /** Scopes, separated by spaces: identify, email, guilds, connections, bot. */
  readonly scope: string
  /** `code`, the default. */
  readonly response_type?: string
  /** Exactly as registered. Optional if only one is registered, or if `bot` is the only scope. */
  readonly redirect_uri?: string
  /** Returned unchanged, to prevent cross-site request forgery. */
  readonly state?: string
  /** The permissions of the bot, a bit set as a decimal number of at most 78 digits; unknown bits are ignored. */
  readonly permissions?: string
  /** The guild that the bot joins, if the scopes include `bot`. */
  readonly guild_id?: string
}

/** The consent was granted. */
export interface ConsentResult {
  /** The URL to which the user is redirected after consent. */
  readonly redirect_to: string
}

/** Rich content shown below a message's text. */
export interface Embed {
  /** The kind of embed; `rich` in messages of webhooks. */
  readonly type?: string
  /** Where the title links to. */
  readonly url?: string
  /** The title. */
  readonly title?: string
  /** The colour of the edge, 24-bit RGB. Other values are returned unchanged. */
  readonly color?: number
  /** The time that the content is about. */
  readonly timestamp?: string
  /** The text. */
  readonly description?: string
  /** Who wrote the content. */
  readonly author?: EmbedSource
  /** A large image. */
  readonly image?: EmbedMedia
  /** A small image. */
  readonly thumbnail?: EmbedMedia
  /** A video. */
  readonly video?: EmbedMedia
  /** An audio file. */
  readonly audio?: EmbedMedia
  /** What is shown below. */
  readonly footer?: EmbedFooter
  /** Named values. */
  readonly fields?: ReadonlyArray<EmbedField>
  /** Where the content is from. */
  readonly provider?: EmbedSource
  /** Whether the content is for adults only. */
  readonly nsfw?: boolean
  /** Embeds inside this one. */
  readonly children?: ReadonlyArray<ChildEmbed>
}

/** A named value in an embed. */
export interface EmbedField {
  /** The name of the value. */
  readonly name?: string
  /** The value. */
  readonly value?: string
  /** Whether it may be shown beside other fields. */
  readonly inline?: boolean
}

/** The footer of an embed. */
export interface EmbedFooter {
  /** The text. */
  readonly text?: string
  /** The address of an icon. */
  readonly icon_url?: string
  /** The address of the platform's copy of the icon. */
  readonly proxy_icon_url?: string
}

/** An image, video or audio of an embed. */
export interface EmbedMedia {
  /** The address of the file. */
  readonly url?: string
  /** Properties of the file, a bit set. */
  readonly flags?: number
  /** The address of the platform's copy. */
  readonly proxy_url?: string
  /** The media type, such as `image/png`. */
  readonly content_type?: string
  /** The hash of the content. */
  readonly content_hash?: string
  /** In pixels. */
  readonly width?: number
  /** In pixels. */
  readonly height?: number
  /** What it shows, for those who cannot see it. */
  readonly description?: string
  /** A tiny preview, as text. */
  readonly placeholder?: string
  /** In seconds. */
  readonly duration?: number
}

/** The author or the provider of the content of an embed. */
export interface EmbedSource {
  /** The name. */
  readonly name?: string
  /** The page of the author or provider. */
  readonly url?: string
  /** The address of an icon. */
  readonly icon_url?: string
  /** The address of the platform's copy of the icon. */
  readonly proxy_icon_url?: string
}

/** A group of equal errors. */
export interface ErrorTrackerIssue {
  /** Identifies the issue. */
  readonly id?: string | number | null
  /** The short id, such as `KILN-7`. */
  readonly shortId?: string | null
  /** The title. */
  readonly title?: string | null
  /** The page of the issue. */
  readonly permalink?: string | null
  /** How severe it is, such as `error`. */
  readonly level?: string | null
  /** The status, such as `unresolved`. */
  readonly status?: string | null
  /** The language or framework, such as `node`. */
  readonly platform?: string | null
  /** The project of the issue. */
  readonly project?: ErrorTrackerProject | null
  /** The kind of issue, such as `error`. */
  readonly type?: string | null
  /** The type and the message of the error. */
  readonly metadata?: {
    /** The message of the error. */
    readonly value?: string | null
    /** The type of the error, such as `TypeError`. */
    readonly type?: string | null
  } | null
  /** How often it happened. */
  readonly count?: string | number | null
  /** How many users it affected. */
  readonly userCount?: string | number | null
  /** When it happened first. */
  readonly firstSeen?: string | null
  /** When it happened last. */
  readonly lastSeen?: string | null
  /** The code that caused it. */
  readonly culprit?: string | null
  /** The page of the issue, if there is no `permalink`. A value of another type is ignored. */
  readonly web_url?: string | null
  /** The address of the issue in the tracker's API. A value of another type is ignored. */
  readonly url?: string | null
  /** The page of the issue's project. A value of another type is ignored. */
  readonly project_url?: string | null
  /** The detailed status. A value of another type is ignored. */
  readonly substatus?: string | null
  /** Who the issue is assigned to. A value of another type is ignored. */
  readonly assignedTo?: {
    /** The name of the person or the team. */
    readonly name?: string | null
  } | null
}

/** A notification by the error tracker. Other fields are ignored. */
export interface ErrorTrackerNotification {
  /** What happened, such as `resolved`. */
  readonly action?: string | null
  /** The installation of the tracker's integration. */
  readonly installation?: {
    /** Identifies the installation. */
    readonly uuid?: string | null
  } | null
  /** What the notification is about. */
  readonly data?: {
    /** The issue. */
    readonly issue?: ErrorTrackerIssue | null
    /** The event that an issue alert is about. A value of another type is ignored. */
    readonly event?: {
      /** The title of the event. */
      readonly title?: string | null
      /** The page of the event. */
      readonly web_url?: string | null
      /** The address of the issue in the tracker's API. */
      readonly issue_url?: string | null
      /** Identifies the issue. */
      readonly issue_id?: string | null
      /** How severe it is, such as `error`. */
      readonly level?: string | null
      /** The code that caused it. */
      readonly culprit?: string | null
    } | null
    /** The rule of an issue alert. A value of another type is ignored. */
    readonly triggered_rule?: string | null
    /** The metric alert, with its projects and its rule. A value of another type is ignored. */
    readonly metric_alert?: {
      /** The rule of the alert. */
      readonly alert_rule?: {
        /** The name of the rule. */
        readonly name?: string | null
      } | null
      /** The short names of the projects. */
      readonly projects?: ReadonlyArray<string> | null
    } | null
    /** The title of a metric alert. A value of another type is ignored. */
    readonly description_title?: string | null
    /** The text of a metric alert. A value of another type is ignored. */
    readonly description_text?: string | null
    /** The page of a metric alert. A value of another type is ignored. */
    readonly web_url?: string | null
  } | null
  /** Who caused the event. */
  readonly actor?: {
    /** `user` or `application`. */
    readonly type?: string | null
    /** Identifies the actor. */
    readonly id?: string | number | null
    /** The name of the actor. */
    readonly name?: string | null
  } | null
}

/** A project at the error tracker. */
export interface ErrorTrackerProject {
  /** Identifies the project. */
  readonly id?: string | number | null
  /** The name of the project. */
  readonly name?: string | null
  /** The short name of the project. */
  readonly slug?: string | null
  /** The language or framework, such as `node`. */
  readonly platform?: string | null
}

/** A change of state. Its type determines the fields of `data`; a reader ignores types that it does not know. */
export type Event = MessageCreatedEvent | ScheduledMessageUpdatedEvent | UserUpdatedEvent | UserDeletionScheduledEvent | UserDeletionCancelledEvent | UserDeletedEvent | WebhookUpdatedEvent | WebhookDeletedEvent | ConsentGrantedEvent | MemberJoinedEvent | MemberUpdatedEvent | MemberLeftEvent

/** A member of a guild with the names of the account. */
export interface GuildMember {
  /** `guild_id:user_id`. */
  readonly id: string
  /** The guild. */
  readonly guild_id: string
  /** The account. */
  readonly user_id: string
  /** The name of the account. */
  readonly username: string
  /** Four digits that distinguish accounts with the same name. */
  readonly discriminator: string
  /** The display name of the account. */
  readonly global_name: string | null
  /** The name in this guild. */
  readonly nickname: string | null
  /** The roles of the member. */
  readonly role_ids: ReadonlyArray<string>
  /** When the member joined: a Unix timestamp in seconds. */
  readonly joined_at: number
  /** How the member joined. */
  readonly supplemental: {
    /** The code of the invite that the member joined with. */
    readonly source_invite_code: string | null
    /** The account that invited the member. */
    readonly inviter_id: string | null
    /** 0 creator, 1 invite, 2 vanity link, 3 bot consent, 4 added by an administrator, 6 discovery; or another. */
    readonly join_source_type: number | null
  }
  /** Whether the account is a bot. */
  readonly is_bot: boolean
}

/** An account joined a guild. */
export interface MemberJoinedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "member.joined"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The guild. */
    readonly guild_id: string
    /** The account. */
    readonly user_id: string
  }
}

/** An account left a guild. */
export interface MemberLeftEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "member.left"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The guild. */
    readonly guild_id: string
    /** The account. */
    readonly user_id: string
  }
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
  /** The searched guild. */
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

/** A member's nickname or roles changed. */
export interface MemberUpdatedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "member.updated"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The guild. */
    readonly guild_id: string
    /** The account. */
    readonly user_id: string
  }
}

/** A posted message. */
export interface Message {
  /** Identifies the message. */
  readonly id: string
  /** Its channel. */
  readonly channel_id: string
  /** The guild of the channel. */
  readonly guild_id: string
  /** Who posted it. */
  readonly author: UserAuthor | WebhookAuthor
  /** Its content. */
  readonly payload: MessagePayload
  /** When it was posted. */
  readonly created_at: string
}

/** A message was posted. */
export interface MessageCreatedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "message.created"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: Message
}

/** The content of a message. */
export interface MessagePayload {
  /** The text; null if there is none. */
  readonly content: string | null
  /** Whether clients read the text aloud. */
  readonly tts?: boolean
  /** Rich content below the text. */
  readonly embeds?: ReadonlyArray<Embed>
  /** Files. */
  readonly attachments?: ReadonlyArray<Attachment>
  /** Stickers. */
  readonly stickers?: ReadonlyArray<Sticker>
  /** The ids of the stickers. */
  readonly sticker_ids?: ReadonlyArray<string>
  /** Which mentions may notify users. */
  readonly allowed_mentions?: AllowedMentions
  /** The message that this one refers to. */
  readonly message_reference?: MessageReference
  /** Properties of the message, a bit set; 0 if it has none. */
  readonly flags: number
  /** An identifier that the author chose. */
  readonly nonce?: string
  /** Identifies a favorite meme. */
  readonly favorite_meme_id?: string
}

/** The message that a message refers to. */
export interface MessageReference {
  /** The message. */
  readonly message_id?: string
  /** Its channel. */
  readonly channel_id?: string
  /** Its guild. */
  readonly guild_id?: string
  /** The kind of reference, such as 0. */
  readonly type?: number
}

/** The account to delete, the reason and the time. */
export interface ScheduleDeletion {
  /** The account to delete. */
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
  /** Identifies the scheduled message. */
  readonly id: string
  /** The channel that it is posted to. */
  readonly channel_id: string
  /** When it is posted, in UTC. */
  readonly scheduled_at: string
  /** The planned time on the clocks of `timezone`, without an offset. Seconds and their decimals may be missing. */
  readonly scheduled_local_at: string
  /** The name of a time zone in the IANA database. */
  readonly timezone: string
  /** Its present status. */
  readonly status: ScheduledMessageStatus
  /** Why it has this status, for people. */
  readonly status_reason: string | null
  /** What is posted. */
  readonly payload: MessagePayload
  /** When it was created. */
  readonly created_at: string
  /** When it became `invalid`. */
  readonly invalidated_at: string | null
}

/** `pending` is not checked yet, `scheduled` waits for its time, `sent` is posted, `failed` could not be posted in five attempts, `invalid` cannot be posted as it is, `cancelled` will not be posted. */
export type ScheduledMessageStatus = "pending" | "invalid" | "scheduled" | "sent" | "failed" | "cancelled"

/** A scheduled message was created, edited, or changed its status. */
export interface ScheduledMessageUpdatedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "scheduled_message.updated"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The scheduled message. */
    readonly scheduled_message_id: string
    /** The account that scheduled it. */
    readonly author_id: string
    /** Its present status. */
    readonly status: ScheduledMessageStatus
  }
}

/** A sticker of a message. */
export interface Sticker {
  /** Identifies the sticker. */
  readonly id?: string
  /** The name. */
  readonly name?: string
  /** Whether it moves. */
  readonly animated?: boolean
}

/** The changes to a webhook. Missing fields keep their values. */
export interface UpdateWebhook {
  /** The new name: 1 to 80 characters, after control characters and surrounding white space are removed. */
  readonly name?: string
  /** The new image; null removes it. */
  readonly avatar?: string | null
}

/** An account as administrators see it. */
export interface User {
  /** Identifies the account. */
  readonly id: string
  /** The name of the account. */
  readonly username: string
  /** Distinguishes accounts with the same name, 0 to 9999. */
  readonly discriminator: number
  /** The display name. */
  readonly global_name: string | null
  /** Whether the account is a bot. */
  readonly bot: boolean
  /** Whether the account belongs to the platform itself. Such an account cannot be deleted. */
  readonly system: boolean
  /** Properties of the account, a bit set as a decimal number. */
  readonly flags: string
  /** The hash of the avatar image. */
  readonly avatar: string | null
  /** The hash of the banner image. */
  readonly banner: string | null
  /** The text that the user wrote about themselves. */
  readonly bio: string | null
  /** The pronouns of the user. */
  readonly pronouns: string | null
  /** The colour of the profile, 24-bit RGB. */
  readonly accent_color: number | null
  /** The e-mail address. */
  readonly email: string | null
  /** Whether the user confirmed the e-mail address. */
  readonly email_verified: boolean | null
  /** Whether mail to the address came back. */
  readonly email_bounced: boolean | null
  /** The phone number. */
  readonly phone: string | null
  /** The date of birth, such as `1989-06-15`. */
  readonly date_of_birth: string | null
  /** The language of the user, such as `is-IS`. */
  readonly locale: string | null
  /** The kind of paid subscription. */
  readonly premium_type: number | null
  /** When the paid subscription began. */
  readonly premium_since: string | null
  /** When the paid subscription ends. */
  readonly premium_until: string | null
  /** Kinds of suspicious activity, a bit set. */
  readonly suspicious_activity_flags: number
  /** When a temporary ban ends. */
  readonly temp_banned_until: string | null
  /** When the account is deleted, if a deletion is scheduled. */
  readonly pending_deletion_at: string | null
  /** When all messages of the account are deleted, if that is scheduled. */
  readonly pending_bulk_message_deletion_at: string | null
  /** The code of the reason for the scheduled deletion. */
  readonly deletion_reason_code: number | null
  /** The public reason for the scheduled deletion. */
  readonly deletion_public_reason: string | null
  /** The access controls of the account. */
  readonly acls: ReadonlyArray<string>
  /** Labels of the account. */
  readonly traits: ReadonlyArray<string>
  /** Whether the account has one-time passwords as a second factor. */
  readonly has_totp: boolean
  /** The kinds of second factors that the account has. */
  readonly authenticator_types: ReadonlyArray<number>
  /** When the user was last active. */
  readonly last_active_at: string | null
  /** The IP address at that time. */
  readonly last_active_ip: string | null
  /** The host name of that address. */
  readonly last_active_ip_reverse: string | null
  /** The place of that address. */
  readonly last_active_location: string | null
}

/** An account that posted a message. */
export interface UserAuthor {
  /** An account posted it. */
  readonly type: "user"
  /** The account. */
  readonly user_id: string
}

/** An account was deleted. */
export interface UserDeletedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "user.deleted"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The account. */
    readonly user_id: string
  }
}

/** The deletion of an account was cancelled. */
export interface UserDeletionCancelledEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "user.deletion_cancelled"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The account. */
    readonly user_id: string
  }
}

/** The deletion of an account was scheduled or rescheduled. */
export interface UserDeletionScheduledEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "user.deletion_scheduled"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The account. */
    readonly user_id: string
    /** When it is deleted. */
    readonly pending_deletion_at: string
    /** Why, as a number. */
    readonly reason_code: number
    /** Why, for people; null if no reason was given. */
    readonly public_reason: string | null
  }
}

/** The account after the operation. */
export interface UserResult {
  /** The account. */
  readonly user: User
}

/** Fields of an account changed. */
export interface UserUpdatedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "user.updated"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The account. */
    readonly user_id: string
    /** The names of the fields. Their values are personal data. */
    readonly changed: ReadonlyArray<string>
  }
}

/** A violation in a request. */
export interface Violation {
  /** Where: dotted with array indexes, the name of a parameter, or `root` for the body as a whole. */
  readonly path: string
  /** For people: what the value must be. */
  readonly message: string
  /** The kind of violation. */
  readonly code: ViolationCode
}

/** The kind of violation. */
export type ViolationCode = "INVALID_FORMAT" | "REQUIRED" | "INVALID_SNOWFLAKE_FORMAT" | "SNOWFLAKE_OUT_OF_RANGE" | "STRING_LENGTH_INVALID" | "NUMBER_OUT_OF_RANGE" | "TOO_MANY_ITEMS" | "INVALID_ENUM_VALUE" | "INVALID_EMAIL_FORMAT" | "EMAIL_ALREADY_IN_USE" | "INVALID_IMAGE_FORMAT" | "IMAGE_TOO_LARGE"

/** A webhook. */
export interface Webhook {
  /** Identifies the webhook. */
  readonly id: string
  /** The guild of the channel. */
  readonly guild_id: string
  /** The channel that the webhook posts in. */
  readonly channel_id: string
  /** The display name. */
  readonly name: string
  /** The secret token of the webhook. */
  readonly token: string
  /** The hash of the avatar image; it begins with `a_` if the image is animated. */
  readonly avatar: string | null
}

/** A webhook that posted a message. */
export interface WebhookAuthor {
  /** A webhook posted it. */
  readonly type: "webhook"
  /** The webhook. */
  readonly webhook_id: string
  /** The name of the webhook at that time. */
  readonly name: string
  /** The hash of its avatar at that time; null if it had none. */
  readonly avatar: string | null
}

/** A webhook was removed. Its messages stay. */
export interface WebhookDeletedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "webhook.deleted"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The webhook. */
    readonly webhook_id: string
    /** The guild of its channel. */
    readonly guild_id: string
    /** The channel that it posts to. */
    readonly channel_id: string
  }
}

/** A webhook was created or changed. */
export interface WebhookUpdatedEvent {
  /** Increases with every event. Resume after the last one that you received. */
  readonly sequence: number
  /** When it was appended to the log, before its commit. */
  readonly occurred_at: string
  /** What happened. */
  readonly type: "webhook.updated"
  /** The version of `data`. */
  readonly version: 1
  /** What changed. */
  readonly data: {
    /** The webhook. */
    readonly webhook_id: string
    /** The guild of its channel. */
    readonly guild_id: string
    /** The channel that it posts to. */
    readonly channel_id: string
    /** The name under which it posts. */
    readonly name: string
    /** The hash of its avatar; null if it has none. */
    readonly avatar: string | null
  }
}
