import { Schema } from "effect"
import { field, integer, IntegerOrString } from "../wire/WireType.ts"
import { listed, unlisted } from "./NotificationField.ts"

/*
 * The objects in a code host's notification. Source: API reference, Execute code-hosting webhook.
 */

const string = (description: string) => listed(Schema.String, description)
const number = (description: string) => listed(integer("int64"), description)
const id = (description: string) => listed(IntegerOrString, description)

/** An account at the code host. */
export const Actor = Schema.Struct({
  id: id("Identifies the account."),
  login: string("The name of the account."),
  html_url: string("The page of the account."),
  avatar_url: string("The image of the account.")
}).annotations({ identifier: "CodeHostActor", description: "An account at the code host." })

/** A commit. */
export const Commit = Schema.Struct({
  id: id("The hash of the commit."),
  url: string("The page of the commit."),
  message: string("The commit message."),
  author: listed(
    Schema.Struct({ name: string("The author's name."), username: string("The author's account.") }),
    "Who wrote the commit."
  )
}).annotations({ identifier: "CodeHostCommit", description: "A commit." })

/** A comment. */
export const Comment = Schema.Struct({
  id: id("Identifies the comment."),
  html_url: string("The page of the comment."),
  user: listed(Actor, "Who wrote the comment."),
  body: string("The text, in Markdown."),
  commit_id: string("The hash of the commit that the comment is on."),
  path: unlisted(Schema.String, "The file that the comment is on.")
}).annotations({ identifier: "CodeHostComment", description: "A comment." })

const pullRequests = listed(
  Schema.Array(Schema.Struct({ number: number("The number of the pull request.") })),
  "The pull requests that are checked."
)

/** The checks of one application on a commit. */
export const CheckSuite = Schema.Struct({
  head_sha: string("The hash of the commit that is checked."),
  app: listed(Schema.Struct({ name: string("The name of the application.") }), "The application that checks."),
  conclusion: string("The result, such as `success`."),
  head_branch: string("The branch that is checked."),
  pull_requests: pullRequests
}).annotations({ identifier: "CodeHostCheckSuite", description: "The checks of one application on a commit." })

/** A check of a commit. */
export const CheckRun = Schema.Struct({
  name: string("The name of the check."),
  html_url: string("The page of the check."),
  check_suite: listed(CheckSuite, "The suite that the check belongs to."),
  conclusion: string("The result, such as `success`."),
  details_url: string("The page of the application that checks."),
  output: listed(
    Schema.Struct({ title: string("The title."), summary: string("The summary, in Markdown.") }),
    "What the check reports."
  ),
  pull_requests: pullRequests
}).annotations({ identifier: "CodeHostCheckRun", description: "A check of a commit." })

/** A discussion. */
export const Discussion = Schema.Struct({
  title: string("The title."),
  number: number("The number in the repository."),
  html_url: string("The page of the discussion."),
  user: listed(Actor, "Who began the discussion."),
  answer_html_url: string("The page of the answer."),
  body: string("The text, in Markdown."),
  category: unlisted(Schema.Struct({ name: field(Schema.String, "The name of the category.") }), "The category.")
}).annotations({ identifier: "CodeHostDiscussion", description: "A discussion." })

const subject = {
  id: id("Identifies it among all repositories."),
  number: number("The number in the repository."),
  html_url: string("The page."),
  user: listed(Actor, "Who opened it."),
  title: string("The title."),
  body: string("The text, in Markdown.")
}

/** An issue. */
export const Issue = Schema.Struct({
  ...subject,
  state_reason: unlisted(Schema.String, "Why the issue is closed."),
  pull_request: unlisted(
    Schema.Object.annotations({
      jsonSchema: {
        properties: { html_url: { type: ["string", "null"], description: "The page of the pull request; not read." } }
      }
    }),
    "Present if the issue is a pull request."
  )
}).annotations({ identifier: "CodeHostIssue", description: "An issue." })

/** A pull request. */
export const PullRequest = Schema.Struct({
  ...subject,
  merged: unlisted(Schema.Boolean, "Whether the pull request was merged."),
  draft: unlisted(Schema.Boolean, "Whether the pull request is a draft.")
}).annotations({ identifier: "CodeHostPullRequest", description: "A pull request." })

/** A release. */
export const Release = Schema.Struct({
  id: id("Identifies the release."),
  tag_name: string("The tag of the release."),
  html_url: string("The page of the release."),
  body: string("The text, in Markdown."),
  name: unlisted(Schema.String, "The name of the release."),
  prerelease: unlisted(Schema.Boolean, "Whether the release is a pre-release.")
}).annotations({ identifier: "CodeHostRelease", description: "A release." })

/** A repository. */
export const Repository = Schema.Struct({
  id: id("Identifies the repository."),
  html_url: string("The page of the repository."),
  name: string("The name without its owner."),
  full_name: string("The name with its owner, such as `riverside/kiln`.")
}).annotations({ identifier: "CodeHostRepository", description: "A repository." })

/** A review of a pull request. */
export const Review = Schema.Struct({
  user: listed(Actor, "Who reviewed."),
  html_url: string("The page of the review."),
  state: string("The verdict, such as `approved`."),
  body: string("The text, in Markdown.")
}).annotations({ identifier: "CodeHostReview", description: "A review of a pull request." })
