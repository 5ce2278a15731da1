import { join } from "node:path"
import { inTurn } from "../report/InTurn.ts"
import type { Community } from "./community/Community.ts"
import { SUBJECT } from "./SearchReport.ts"
import type { SearchSubject } from "./SearchSubject.ts"
import * as Fts5Subject from "./subject/Fts5Subject.ts"
import * as LikeSubject from "./subject/LikeSubject.ts"
import * as PgTrgmSubject from "./subject/PgTrgmSubject.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"
import * as SqliteMembers from "./subject/SqliteMembers.ts"

/** The databases that the service is compared with. */
export interface Peers {
  readonly subjects: ReadonlyArray<SearchSubject>
  readonly close: () => Promise<void>
}

/** Loads the community into all of them. PostgreSQL makes its indexes while SQLite makes its own. */
export const load = async (
  community: Community,
  directory: string,
  postgres: PostgresConnection | undefined
): Promise<Peers> => {
  const { guildId } = community
  const members = SqliteMembers.open(join(directory, "peers.db"))
  const indexed = postgres === undefined ? undefined : await PgTrgmSubject.load(postgres, community)
  members.load(community)
  await indexed?.()
  const subjects = [
    Fts5Subject.make(SUBJECT.fts5, members, guildId),
    LikeSubject.make(SUBJECT.like, members, guildId),
    ...postgres === undefined ? [] : [PgTrgmSubject.make(SUBJECT.pgTrgm, postgres, guildId)]
  ]
  return {
    subjects,
    close: async () => {
      await inTurn(subjects, ({ close }) => close())
      members.close()
    }
  }
}
