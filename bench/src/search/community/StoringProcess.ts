import { Schema } from "effect"
import { create } from "./Community.ts"
import * as Guilds from "./Guilds.ts"
import * as ServiceDatabase from "./ServiceDatabase.ts"
import { StoreOrder } from "./Store.ts"

/*
 * Stores a community for the service: node StoringProcess.js <order>. Sends its parent a message at the end.
 */

const order = Schema.decodeUnknownSync(Schema.parseJson(StoreOrder))(process.argv[2])
const drawn = create(order.members, order.seed)
const community = { ...drawn, guildId: order.guildId ?? drawn.guildId }
const guilds = [Guilds.large(community), ...Guilds.small(community, order.smallGuilds, order.smallGuild)]
await ServiceDatabase.write(order.filename, community.members, guilds)
process.send?.("done")
