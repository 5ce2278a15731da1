import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { join } from "node:path"
import { inTurn } from "../report/InTurn.ts"
import type { Community } from "./community/Community.ts"
import * as Guilds from "./community/Guilds.ts"
import * as MemoryStorage from "./community/MemoryStorage.ts"
import { SUBJECT } from "./SearchReport.ts"
import type { SearchSubject } from "./SearchSubject.ts"
import * as Fts5Subject from "./subject/Fts5Subject.ts"
import * as LikeSubject from "./subject/LikeSubject.ts"
import * as MemberIndexSubject from "./subject/MemberIndexSubject.ts"
import * as MemberSearchSubject from "./subject/MemberSearchSubject.ts"
import * as PgTrgmSubject from "./subject/PgTrgmSubject.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"
import * as SqliteMembers from "./subject/SqliteMembers.ts"

/** Where the subjects find what they need. */
export interface Places {
  /** For files of their own. */
  readonly directory: string
  /** The service's database, which has the community. */
  readonly serviceFile: string
  readonly postgres: PostgresConnection | undefined
  readonly inMemory: boolean
}

/** Loads the community into all subjects, and closes them after use. */
export const withSubjects = async <A>(
  community: Community,
  { directory, inMemory, postgres, serviceFile }: Places,
  log: (line: string) => void,
  use: (subjects: ReadonlyArray<SearchSubject>) => Promise<A>
): Promise<A> => {
  const guild = Guilds.large(community)
  const opened: Array<SearchSubject> = []
  const open = async (name: string, subject: () => SearchSubject | Promise<SearchSubject>) => {
    log(`loading ${name}`)
    opened.push(await subject())
  }
  const members = SqliteMembers.open(join(directory, "peers.db"))
  try {
    await open(SUBJECT.index, () => MemberIndexSubject.make(SUBJECT.index, community.members))
    await open(
      SUBJECT.service,
      () => MemberSearchSubject.make(SUBJECT.service, StorageSqlite.layer({ filename: serviceFile }), guild)
    )
    if (inMemory) {
      await open(SUBJECT.memory, () => MemberSearchSubject.make(SUBJECT.memory, MemoryStorage.layer(guild), guild))
    }
    await open(SUBJECT.fts5, () => {
      members.load(community)
      return Fts5Subject.make(SUBJECT.fts5, members, community.guildId)
    })
    await open(SUBJECT.like, () => LikeSubject.make(SUBJECT.like, members, community.guildId))
    if (postgres !== undefined) {
      await open(SUBJECT.pgTrgm, () => PgTrgmSubject.make(SUBJECT.pgTrgm, postgres, community))
    }
    return await use(opened)
  } finally {
    await inTurn(opened, ({ close }) => close())
    members.close()
  }
}
