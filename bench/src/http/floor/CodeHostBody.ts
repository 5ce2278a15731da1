import { isBoolean, isInt64, isListOf, isRecordOf, isString, nullable } from "./Values.ts"

type Nullable<A> = A | null | undefined

/** A commit of a push. */
export interface Commit {
  readonly id?: Nullable<string | number>
  readonly url?: Nullable<string>
  readonly message?: Nullable<string>
  readonly author?: Nullable<{ readonly name?: Nullable<string>; readonly username?: Nullable<string> }>
}

/** A notification of the code host, with the fields of a push. The `unknown` fields are not validated. */
export interface CodeHostBody {
  readonly sender: {
    readonly login?: Nullable<string>
    readonly html_url?: Nullable<string>
    readonly avatar_url?: Nullable<string>
  }
  readonly commits?: Nullable<ReadonlyArray<Commit>>
  readonly compare?: Nullable<string>
  readonly forced?: Nullable<boolean>
  readonly head_commit?: Nullable<Commit>
  readonly ref?: Nullable<string>
  readonly repository?: Nullable<{
    readonly name?: Nullable<string>
    readonly full_name?: Nullable<string>
    readonly html_url?: Nullable<string>
  }>
  readonly before?: unknown
  readonly after?: unknown
  readonly created?: unknown
  readonly deleted?: unknown
}

const text = nullable(isString)
const integer = nullable(isInt64)
const id = nullable((value) => isString(value) || isInt64(value))

const actorFields = { id, login: text, html_url: text, avatar_url: text }
const actor = nullable(isRecordOf(actorFields))
const isCommit = isRecordOf({
  id,
  url: text,
  message: text,
  author: nullable(isRecordOf({ name: text, username: text }))
})
const comment = nullable(isRecordOf({ id, html_url: text, user: actor, body: text, commit_id: text }))
const pullRequests = nullable(isListOf(isRecordOf({ number: integer })))
const checkSuite = nullable(isRecordOf({
  head_sha: text,
  app: nullable(isRecordOf({ name: text })),
  conclusion: text,
  head_branch: text,
  pull_requests: pullRequests
}))
const subjectFields = { number: integer, html_url: text, user: actor, title: text, body: text }
const issue = nullable(isRecordOf({ id, ...subjectFields }))
const repository = nullable(isRecordOf({ id, html_url: text, name: text, full_name: text }))

const isBody = isRecordOf({
  sender: isRecordOf(actorFields),
  action: text,
  answer: comment,
  check_run: nullable(isRecordOf({
    name: text,
    html_url: text,
    check_suite: checkSuite,
    conclusion: text,
    details_url: text,
    output: nullable(isRecordOf({ title: text, summary: text })),
    pull_requests: pullRequests
  })),
  check_suite: checkSuite,
  comment,
  commits: nullable(isListOf(isCommit)),
  compare: text,
  discussion: nullable(isRecordOf({ ...subjectFields, answer_html_url: text })),
  forced: nullable(isBoolean),
  forkee: repository,
  head_commit: nullable(isCommit),
  issue,
  member: actor,
  pull_request: issue,
  ref_type: text,
  ref: text,
  release: nullable(isRecordOf({ id, tag_name: text, html_url: text, body: text })),
  repository,
  review: nullable(isRecordOf({ user: actor, html_url: text, state: text, body: text }))
})

/** Whether the value is such a notification. */
export const isCodeHostBody = (value: unknown): value is CodeHostBody => isBody(value)
