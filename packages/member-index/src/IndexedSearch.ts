import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { MemberPage } from "@community-messaging/domain/member-search/MemberQuery"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Option } from "effect"
import type { Caller, ForCaller, MembersAt } from "./CommittedMembers.ts"
import type { FindMembers, IndexQuestion } from "./FoundMembers.ts"

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
  const searchUntil = (
    deadline: number,
    question: IndexQuestion,
    readPage: MembersAt<GuildMember>
  ): Effect.Effect<MemberPage, StorageError> =>
    Effect.flatMap(find(question, deadline), (found) => {
      if (Option.isNone(found)) return Effect.succeed(BEING_BUILT)
      const { build, position, total, userIds } = found.value
      return Effect.flatMap(readPage(question.guildId, userIds, position), (read) => {
        const members = Option.getOrUndefined(read)
        if (members?.length === userIds.length) return Effect.succeed({ members, total, indexing: false })
        if (performance.now() >= deadline) return Effect.succeed(BEING_BUILT)
        const mismatch = Option.some({ position, build, isChanged: members === undefined })
        return searchUntil(deadline, { ...question, mismatch }, pages.read)
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
