import { Either, Schema } from "effect"
import { Embed } from "../../src/message/Embed.ts"
import type { Delivery } from "../../src/webhook/Delivery.ts"

const encode = Schema.encodeSync(Embed)

/** The embed as a client receives it; undefined if nothing is posted. */
export const shown = ({ embed }: Pick<Delivery, "embed">) => Either.getOrUndefined(Either.map(embed, encode))
