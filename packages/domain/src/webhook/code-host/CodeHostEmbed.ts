import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { checkRunEmbed, checkSuiteEmbed } from "./CheckEmbed.ts"
import { type CodeHostEvent, infer } from "./CodeHostEvent.ts"
import { commitCommentEmbed, discussionCommentEmbed, issueCommentEmbed, reviewCommentEmbed } from "./CommentEmbed.ts"
import { discussionEmbed } from "./DiscussionEmbed.ts"
import { issueEmbed } from "./IssueEmbed.ts"
import type { Notification } from "./Notification.ts"
import { pullRequestEmbed } from "./PullRequestEmbed.ts"
import { pushEmbed } from "./PushEmbed.ts"
import { releaseEmbed } from "./ReleaseEmbed.ts"
import {
  createEmbed,
  deleteEmbed,
  forkEmbed,
  memberEmbed,
  publicEmbed,
  repositoryEmbed,
  watchEmbed
} from "./RepositoryEmbed.ts"
import { reviewEmbed } from "./ReviewEmbed.ts"

const EMBEDS: { readonly [event in CodeHostEvent]: (notification: Notification) => Option.Option<Embed> } = {
  push: pushEmbed,
  commit_comment: commitCommentEmbed,
  create: createEmbed,
  delete: deleteEmbed,
  fork: forkEmbed,
  issues: issueEmbed,
  issue_comment: issueCommentEmbed,
  pull_request: pullRequestEmbed,
  pull_request_review: reviewEmbed,
  pull_request_review_comment: reviewCommentEmbed,
  release: releaseEmbed,
  watch: watchEmbed,
  member: memberEmbed,
  public: publicEmbed,
  check_run: checkRunEmbed,
  check_suite: checkSuiteEmbed,
  discussion: discussionEmbed,
  discussion_comment: discussionCommentEmbed,
  repository: repositoryEmbed
}

const isPosted = (event: string): event is CodeHostEvent => Object.hasOwn(EMBEDS, event)

/**
 * Returns the event of a notification; none if it never makes a message. `header` is the value of the host's event
 * header; without it, the event is inferred.
 */
export const eventOf = (header: Option.Option<string>, notification: Notification): Option.Option<CodeHostEvent> =>
  Option.match(header, { onNone: () => infer(notification), onSome: Option.liftPredicate(isPosted) })

/**
 * Returns the embed that is posted for a code host's event; none if the event makes no message. Source: API reference,
 * Execute code-hosting webhook; API gaps, Notifications and webhooks.
 */
export const embed = (header: Option.Option<string>, notification: Notification): Option.Option<Embed> =>
  Option.flatMap(eventOf(header, notification), (event) => EMBEDS[event](notification))
