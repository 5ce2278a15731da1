import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { optionalField } from "@community-messaging/domain/shared-kernel/OptionalField"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import { Predicate, Schema } from "effect"

/*
 * Questions and answers are JSON text: compiled schemas encode it in a tenth of the time of interpreted ones. Questions and
 * answers of a later version are text, too, so that this version can report that it does not understand them.
 */

const Question = Schema.Struct({
  guildId: GuildId,
  query: MemberQuery,
  mismatch: optionalField(Schema.Struct({ position: Schema.Int, build: Schema.Int, isChanged: Schema.Boolean }))
})

const Answer = Schema.Struct({
  found: optionalField(
    Schema.Struct({
      userIds: Schema.Array(UserId),
      total: Schema.NonNegativeInt,
      position: Schema.Int,
      build: Schema.Int
    })
  )
})

const hasOnly = (value: unknown, fields: object): boolean =>
  Predicate.isRecord(value) && Object.keys(value).every((name) => Object.hasOwn(fields, name))

/** A question with a field of a later version must not be answered as if the field were not there. */
const isKnown = (question: unknown): boolean =>
  hasOnly(question, Question.fields) && Predicate.hasProperty(question, "query") &&
  hasOnly(question.query, MemberQuery.fields)

const questionText = Schema.compose(Schema.parseJson().pipe(Schema.filter(isKnown)), Question, { strict: false })
const answerText = Schema.parseJson(Answer)

/** Encodes a question for another server. */
export const encodeQuestion = CompiledSchema.encodeEither(questionText)

/** Decodes a question of another server. */
export const decodeQuestion = CompiledSchema.decodeUnknownEither(questionText)

/** Encodes an answer for another server. */
export const encodeAnswer = CompiledSchema.encodeEither(answerText)

/** Decodes an answer of another server. */
export const decodeAnswer = CompiledSchema.decodeUnknownEither(answerText)

/** A server does not understand the other one, which has another version. */
export class SearchNotUnderstood extends Schema.TaggedError<SearchNotUnderstood>()("SearchNotUnderstood", {}) {}

/** The server of the search no longer has the guild's index. */
export class SearchedElsewhere extends Schema.TaggedError<SearchedElsewhere>()("SearchedElsewhere", {}) {}

/**
 * The question to the server that has a guild's index. The name, and text in both directions, are the same in all versions.
 */
export const GuildSearch = RpcGroup.make(
  Rpc.make("Search", {
    payload: Schema.String,
    success: Schema.String,
    error: Schema.Union(StorageError, SearchNotUnderstood, SearchedElsewhere)
  })
)
