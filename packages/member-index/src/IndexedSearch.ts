import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { MemberPage } from "@community-messaging/domain/member-search/MemberQuery"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Option } from "effect"
import type { Caller, ForCaller, MembersAt } from "./CommittedMembers.ts"
import type { FindMembers, FoundMembers, IndexQuestion, Mismatch } from "./FoundMembers.ts"

/** The page while the index is being built, or if it cannot be updated in time. */
const BEING_BUILT: MemberPage = { members: [], total: 0, indexing: true }

/** Reads pages after the search of an index. */
export interface PageReader {
  /** Reads the members of a page together with the guild's last change. */
  readonly read: MembersAt<GuildMember>
  /** Reads the caller, before the members of the page are known. Returns it, and how to read the page. */
  readonly begin: ForCaller<{ readonly caller: Caller; readonly readPage: MembersAt<GuildMember> }>
}

/**
 * Searches with the guarantees of `MemberDirectory`, by an index in this process or another. If the index does not have the
 * guild's last change, it is searched again, for at most `timeoutMillis`.
 */
export const make = (
  pages: PageReader,
  find: FindMembers,
  timeoutMillis: number
): MemberDirectory["Type"]["begin"] => {
  const pageOf = (
    readPage: MembersAt<GuildMember>,
    guildId: GuildId,
    { build, position, total, userIds }: FoundMembers
  ) =>
    Effect.map(
      readPage(guildId, userIds, position),
      (members): Either.Either<MemberPage, Mismatch> =>
        Option.isSome(members) && members.value.length === userIds.length
          ? Either.right({ members: members.value, total, indexing: false })
          : Either.left({ position, build, isChanged: Option.isNone(members) })
    )

  const searchUntil = (
    deadline: number,
    question: IndexQuestion,
    readPage: MembersAt<GuildMember>
  ): Effect.Effect<MemberPage, StorageError> =>
    Effect.flatMap(find(question, deadline), (found) => {
      if (Option.isNone(found)) return Effect.succeed(BEING_BUILT)
      const { guildId } = question
      return Effect.flatMap(pageOf(readPage, guildId, found.value), (page) => {
        if (Either.isRight(page)) return Effect.succeed(page.right)
        if (performance.now() >= deadline) return Effect.succeed(BEING_BUILT)
        return searchUntil(deadline, { ...question, mismatch: Option.some(page.left) }, pages.read)
      })
    })

  return (callerId, guildId) =>
    Effect.map(pages.begin(callerId, guildId), ({ caller, readPage }) => ({
      caller,
      search: (query) =>
        Effect.suspend(() =>
          searchUntil(performance.now() + timeoutMillis, { guildId, query, mismatch: Option.none() }, readPage)
        )
    }))
}
