import type { MemberSearchBody } from "@community-messaging/http-adapter/guild-members/Api"

/*
 * Bodies as they come off the wire, once a peer has checked them.
 */

/** API reference, Search guild members; its schema transforms nothing. */
export type { MemberSearchBody }

/** API reference, Grant OAuth2 consent. */
export interface ConsentBody {
  readonly client_id: string
  readonly scope: string
  readonly response_type?: string
  readonly redirect_uri?: string
  readonly state?: string
  readonly permissions?: string
  readonly guild_id?: string
}

/** API reference, Schedule account deletion. */
export interface ScheduleDeletionBody {
  readonly user_id: string
  readonly reason_code: number
  readonly public_reason?: string
  readonly days_until_deletion?: number
}

/** API reference, Change user email. */
export interface ChangeEmailBody {
  readonly user_id: string
  readonly email: string
}

/** API reference, Update webhook with token. */
export interface UpdateWebhookBody {
  readonly name?: string
  readonly avatar?: string | null
}

/** What a third party may leave out or send null for. */
type Listed<A> = A | null | undefined

/** What nobody has checked: ignored unless it is of the right kind. */
type Unlisted = unknown

interface Actor {
  readonly id?: Listed<string | number>
  readonly login?: Listed<string>
  readonly html_url?: Listed<string>
  readonly avatar_url?: Listed<string>
}

/** A commit of a notification. */
export interface Commit {
  readonly id?: Listed<string | number>
  readonly url?: Listed<string>
  readonly message?: Listed<string>
  readonly author?: Listed<{ readonly name?: Listed<string>; readonly username?: Listed<string> }>
}

/** A comment of a notification. */
export interface Comment {
  readonly id?: Listed<string | number>
  readonly html_url?: Listed<string>
  readonly user?: Listed<Actor>
  readonly body?: Listed<string>
  readonly commit_id?: Listed<string>
  readonly path?: Unlisted
}

/** Those pull requests that a check belongs to. */
export type PullRequests = Listed<ReadonlyArray<{ readonly number?: Listed<number> }>>

/** The checks that an application makes on a commit. */
export interface CheckSuite {
  readonly head_sha?: Listed<string>
  readonly app?: Listed<{ readonly name?: Listed<string> }>
  readonly conclusion?: Listed<string>
  readonly head_branch?: Listed<string>
  readonly pull_requests?: PullRequests
}

interface CheckRun {
  readonly name?: Listed<string>
  readonly html_url?: Listed<string>
  readonly check_suite?: Listed<CheckSuite>
  readonly conclusion?: Listed<string>
  readonly details_url?: Listed<string>
  readonly output?: Listed<{ readonly title?: Listed<string>; readonly summary?: Listed<string> }>
  readonly pull_requests?: PullRequests
}

/** What an issue, a pull request and a discussion have in common. */
export interface Subject {
  readonly number?: Listed<number>
  readonly html_url?: Listed<string>
  readonly user?: Listed<Actor>
  readonly title?: Listed<string>
  readonly body?: Listed<string>
}

interface Release {
  readonly id?: Listed<string | number>
  readonly tag_name?: Listed<string>
  readonly html_url?: Listed<string>
  readonly body?: Listed<string>
  readonly name?: Unlisted
  readonly prerelease?: Unlisted
}

/** A repository of a notification. */
export interface Repository {
  readonly id?: Listed<string | number>
  readonly html_url?: Listed<string>
  readonly name?: Listed<string>
  readonly full_name?: Listed<string>
}

/** API reference, Execute code-hosting webhook. */
export interface CodeHostBody {
  readonly sender: Actor & { readonly login: string }
  readonly action?: Listed<string>
  readonly answer?: Listed<Comment>
  readonly check_run?: Listed<CheckRun>
  readonly check_suite?: Listed<CheckSuite>
  readonly comment?: Listed<Comment>
  readonly commits?: Listed<ReadonlyArray<Commit>>
  readonly compare?: Listed<string>
  readonly discussion?: Listed<
    Subject & { readonly answer_html_url?: Listed<string>; readonly category?: Unlisted }
  >
  readonly forced?: Listed<boolean>
  readonly forkee?: Listed<Repository>
  readonly head_commit?: Listed<Commit>
  readonly issue?: Listed<
    Subject & {
      readonly id?: Listed<string | number>
      readonly state_reason?: Unlisted
      readonly pull_request?: Unlisted
    }
  >
  readonly member?: Listed<Actor>
  readonly pull_request?: Listed<
    Subject & { readonly id?: Listed<string | number>; readonly merged?: Unlisted; readonly draft?: Unlisted }
  >
  readonly ref_type?: Listed<string>
  readonly ref?: Listed<string>
  readonly release?: Listed<Release>
  readonly repository?: Listed<Repository>
  readonly review?: Listed<{
    readonly user?: Listed<Actor>
    readonly html_url?: Listed<string>
    readonly state?: Listed<string>
    readonly body?: Listed<string>
  }>
  readonly before?: Unlisted
  readonly after?: Unlisted
  readonly created?: Unlisted
  readonly deleted?: Unlisted
  readonly master_branch?: Unlisted
}

/** API reference, Execute error-tracking webhook. */
export interface ErrorTrackerBody {
  readonly action?: Listed<string>
  readonly installation?: Listed<{ readonly uuid?: Listed<string> }>
  readonly data?: Listed<{ readonly issue?: Listed<ErrorTrackerIssue> }>
  readonly actor?: Listed<{
    readonly type?: Listed<string>
    readonly id?: Listed<string | number>
    readonly name?: Listed<string>
  }>
}

/** The issue of an error tracker. */
export interface ErrorTrackerIssue {
  readonly id?: Listed<string | number>
  readonly shortId?: Listed<string>
  readonly title?: Listed<string>
  readonly permalink?: Listed<string>
  readonly level?: Listed<string>
  readonly status?: Listed<string>
  readonly platform?: Listed<string>
  readonly project?: Listed<{
    readonly id?: Listed<string | number>
    readonly name?: Listed<string>
    readonly slug?: Listed<string>
    readonly platform?: Listed<string>
  }>
  readonly type?: Listed<string>
  readonly metadata?: Listed<{ readonly value?: Listed<string>; readonly type?: Listed<string> }>
  readonly count?: Listed<string | number>
  readonly userCount?: Listed<string | number>
  readonly firstSeen?: Listed<string>
  readonly lastSeen?: Listed<string>
  readonly culprit?: Listed<string>
  readonly web_url?: Unlisted
  readonly substatus?: Unlisted
  readonly assignedTo?: Unlisted
}
