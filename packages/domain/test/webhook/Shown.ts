import { Option, Schema } from "effect"
import { Embed } from "../../src/message/Embed.ts"

const encode = Schema.encodeSync(Embed)

/** The embed as a client receives it; undefined if nothing is posted. */
export const shown = (embed: Option.Option<Embed>) => Option.getOrUndefined(Option.map(embed, encode))
