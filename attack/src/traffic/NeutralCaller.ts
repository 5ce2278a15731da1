import { nextMessage } from "@community-messaging/bench/http/Process"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { ServerProcess } from "../server/ServerProcess.ts"

/** The order for the process of a neutral caller. */
export const Order = Schema.Struct({
  origin: Schema.String,
  tokens: Schema.Array(Schema.String),
  everyMillis: Schema.Number
})

/** The times of its responses in milliseconds, and the numbers of those that were not 200, by status. */
const Served = Schema.Struct({
  millis: Schema.Array(Schema.Number),
  refused: Schema.Record({ key: Schema.String, value: Schema.Number })
})
export interface Served extends Schema.Schema.Type<typeof Served> {}

/** A caller that sends few requests all the time, while others attack. */
export interface NeutralCaller {
  readonly pid: number
  readonly begin: () => void
  /** Its responses since `begin`, including those that it still waits for. */
  readonly end: () => Promise<Served>
  readonly stop: () => void
}

/**
 * Starts the caller in another process, so that the attackers' work does not delay it. It sends a request once in that many
 * milliseconds, by each of the accounts in turn.
 */
export const start = (
  { origin }: ServerProcess,
  tokens: ReadonlyArray<string>,
  everyMillis: number
): NeutralCaller => {
  const program = fileURLToPath(new URL("NeutralCallerProcess.js", import.meta.url))
  const child = fork(program, [JSON.stringify(Order.make({ origin, tokens, everyMillis }))])
  return {
    pid: child.pid ?? 0,
    begin: () => child.send("begin"),
    end: async () => {
      child.send("end")
      return Schema.decodeUnknownSync(Served)(await nextMessage(child))
    },
    stop: () => child.kill("SIGKILL")
  }
}
