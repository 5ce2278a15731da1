import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Entity } from "@effect/cluster"
import { Rpc } from "@effect/rpc"
import { Schema } from "effect"

/*
 * Pages pass as their encoded form, because compiled schemas encode and decode them in a tenth of the time.
 */

/** Encodes a page for another server. */
export const encodePage = CompiledSchema.encodeEither(MemberPage)

/** Decodes a page of another server. */
export const decodePage = CompiledSchema.decodeUnknownEither(MemberPage)

/**
 * The entity of a guild, by the guild's id: searches the guild's members where the guild's index lives. It has no state but
 * that index, which any server can build again.
 */
export const GuildSearch = Entity.make("GuildSearch", [
  Rpc.make("Search", {
    payload: { guildId: GuildId, query: MemberQuery },
    success: Schema.Unknown,
    error: StorageError
  })
])
