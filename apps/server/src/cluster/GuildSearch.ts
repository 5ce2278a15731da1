import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Entity } from "@effect/cluster"
import { Rpc } from "@effect/rpc"
import { Schema } from "effect"

/*
 * Searches and pages pass as JSON text. The cluster visits a message several times on its way, with schemas that it
 * interprets, and a text is one value; compiled schemas make it in a tenth of the time.
 */

const searchText = Schema.parseJson(Schema.Struct({ guildId: GuildId, query: MemberQuery }))
const pageText = Schema.parseJson(MemberPage)

/** Encodes a search for another server. */
export const encodeSearch = CompiledSchema.encodeEither(searchText)

/** Decodes a search of another server. */
export const decodeSearch = CompiledSchema.decodeUnknownEither(searchText)

/** Encodes a page for another server. */
export const encodePage = CompiledSchema.encodeEither(pageText)

/** Decodes a page of another server, which has validated it. */
export const decodePage = CompiledSchema.decodeTrustedEither(pageText)

/**
 * The entity of a guild, by the guild's id: searches the guild's members where the guild's index lives. It has no state but
 * that index, which any server can build again.
 */
export const GuildSearch = Entity.make("GuildSearch", [
  Rpc.make("Search", {
    payload: Schema.String,
    success: Schema.String,
    error: StorageError
  })
])
