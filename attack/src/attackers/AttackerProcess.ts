import { Schema } from "effect"
import * as Tally from "../traffic/Tally.ts"
import type { Attack } from "./Attack.ts"
import { bodyAttacks } from "./BodyAttacks.ts"
import { clientAttacks } from "./ClientAttacks.ts"
import { type Attacked, Order, Plan } from "./Orders.ts"

/*
 * The process of the attackers: node AttackerProcess.js <plan>. Makes one attack after the other, on orders of its parent.
 */

const { kind, short } = Schema.decodeUnknownSync(Schema.parseJson(Plan))(process.argv[2])
const attacks: ReadonlyArray<Attack> = kind === "bodies" ? await bodyAttacks(short) : clientAttacks(short)

const obey = async ({ attack, millis, origin, port }: Order): Promise<void> => {
  const tally = Tally.make()
  const bounds = await attacks[attack]?.run({ origin, port }, tally, millis)
  const attacked: Attacked = { answers: tally.describe(), forbidden: tally.forbidden(), bounds: bounds ?? [] }
  process.send?.(attacked)
}

process.on("message", (message) => void obey(Schema.decodeUnknownSync(Order)(message)))
process.once("disconnect", () => process.exit())
process.send?.(attacks.map(({ leastMillis, name }) => ({ name, leastMillis })))
