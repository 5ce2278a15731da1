import { Predicate } from "effect"
import * as EventTable from "../EventTable.ts"
import { ownAnnouncement, pushAnnouncement } from "./BranchAnnouncement.ts"
import { checkRunEmbed, checkSuiteEmbed } from "./CheckEmbed.ts"
import { commitCommentEmbed, discussionCommentEmbed, issueCommentEmbed, reviewCommentEmbed } from "./CommentEmbed.ts"
import { discussionAnsweredEmbed, discussionCreatedEmbed } from "./DiscussionEmbed.ts"
import { issueClosedEmbed, issueOpenedEmbed, issueReopenedEmbed } from "./IssueEmbed.ts"
import type { Notification } from "./Notification.ts"
import {
  pullRequestClosedEmbed,
  pullRequestOpenedEmbed,
  pullRequestReadyEmbed,
  pullRequestReopenedEmbed
} from "./PullRequestEmbed.ts"
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

const has = Predicate.isNotNullable

/**
 * The events of a code host that can make a message. `public` and `repository` have no specific fields, like many events
 * that make no message. They are not inferred: no message is better than a wrong one. Hosts may omit the action of a
 * comment, but not of one on an issue. Source: API reference, Execute code-hosting webhook; API gaps, Notifications and
 * webhooks.
 */
export const { delivery, eventOf } = EventTable.make<Notification>()({
  check_run: { isInferred: (_) => has(_.check_run), messages: { completed: checkRunEmbed } },
  check_suite: { isInferred: (_) => has(_.check_suite), messages: { completed: checkSuiteEmbed } },
  pull_request_review: { isInferred: (_) => has(_.review), messages: { submitted: reviewEmbed } },
  release: { isInferred: (_) => has(_.release), messages: { published: releaseEmbed } },
  fork: { isInferred: (_) => has(_.forkee), messages: forkEmbed },
  discussion_comment: {
    isInferred: (_) => has(_.discussion) && has(_.comment),
    messages: { "created": discussionCommentEmbed, "": discussionCommentEmbed }
  },
  discussion: {
    isInferred: (_) => has(_.discussion),
    messages: { created: discussionCreatedEmbed, answered: discussionAnsweredEmbed }
  },
  pull_request_review_comment: {
    isInferred: (_) => has(_.pull_request) && has(_.comment),
    messages: { "created": reviewCommentEmbed, "": reviewCommentEmbed }
  },
  issue_comment: { isInferred: (_) => has(_.issue) && has(_.comment), messages: { created: issueCommentEmbed } },
  commit_comment: {
    isInferred: (_) => has(_.comment?.commit_id),
    messages: { "created": commitCommentEmbed, "": commitCommentEmbed }
  },
  pull_request: {
    isInferred: (_) => has(_.pull_request),
    messages: {
      opened: pullRequestOpenedEmbed,
      ready_for_review: pullRequestReadyEmbed,
      reopened: pullRequestReopenedEmbed,
      closed: pullRequestClosedEmbed
    }
  },
  issues: {
    isInferred: (_) => has(_.issue),
    messages: { opened: issueOpenedEmbed, reopened: issueReopenedEmbed, closed: issueClosedEmbed }
  },
  // A notification about a team member has no repository.
  member: { isInferred: (_) => has(_.member) && has(_.repository), messages: { added: memberEmbed } },
  create: {
    isInferred: (_) => has(_.ref_type) && has(_.master_branch),
    messages: createEmbed,
    announcement: ownAnnouncement("created")
  },
  delete: { isInferred: (_) => has(_.ref_type), messages: deleteEmbed, announcement: ownAnnouncement("deleted") },
  // Other events also have a ref, but none of these fields.
  push: {
    isInferred: (_) => has(_.ref) && (has(_.commits) || has(_.head_commit) || has(_.compare)),
    messages: pushEmbed,
    announcement: pushAnnouncement
  },
  watch: { isInferred: (_) => _.action === "started" && has(_.repository), messages: { started: watchEmbed } },
  public: { isInferred: () => false, messages: publicEmbed },
  repository: { isInferred: () => false, messages: { created: repositoryEmbed } }
})
