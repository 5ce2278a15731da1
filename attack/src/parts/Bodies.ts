import { inTurn } from "@community-messaging/bench/report/InTurn"
import type { Goal } from "@community-messaging/bench/report/Measurement"
import { statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { dataUri, distinctPng } from "../attackers/HostileImages.ts"
import { webhookPath } from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Assignment, Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import * as Server from "../server/ServerProcess.ts"
import { exchange } from "../traffic/HttpExchange.ts"
import { attackInTurn } from "./Attacked.ts"

/*
 * Bodies and images that cost the server more than their sender, and an avatar that is replaced many times.
 */

const MEBIBYTE = 2 ** 20

const sizeOf = (directory: string): number =>
  ["", "-wal"].map((suffix) => statSync(join(directory, `${Server.DATABASE}${suffix}`), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.size ?? 0), 0)

/** Time for the server to release the space of replaced avatars. */
const TIDY_MILLIS = 10_000

/** How many avatars a webhook gets, and the size of each. */
const AVATARS = 40
const AVATAR_BYTES = 9 * MEBIBYTE

/** Replaces the avatar of one webhook many times; the database must not keep all of them. */
const replacedAvatars = ({ random }: Assignment): Promise<ReadonlyArray<Goal>> =>
  DataDirectory.use(0, (directory) =>
    Server.use({ directory, settings: { RATE_LIMITS: "off" } }, async (server) => {
      const before = sizeOf(directory)
      const statuses = await inTurn(Array.from({ length: AVATARS }), async () => {
        const avatar = dataUri(distinctPng(AVATAR_BYTES, () => random.below(256)))
        return (await exchange(server, { method: "PATCH", path: webhookPath(0), body: { avatar } })).status
      })
      await sleep(TIDY_MILLIS)
      const grown = (sizeOf(directory) - before) / MEBIBYTE
      return [
        Bound.none(
          "avatars: responses other than 200, 429",
          statuses.filter((s) => s !== 200 && s !== 429).map(String)
        ),
        // The avatar itself, its copy in the write-ahead log, and one that was not removed yet.
        Bound.atMost(
          `avatars: growth of the database after ${AVATARS} of one webhook`,
          grown,
          (AVATAR_BYTES * 4) / MEBIBYTE,
          "MiB"
        )
      ]
    }))

export const run: Part = async (assignment) => {
  const attacked = await attackInTurn("Hostile bodies and images", assignment, "bodies")
  if (assignment.short) return attacked
  assignment.log("avatars that are replaced")
  return { ...attacked, bounds: [...attacked.bounds, ...await replacedAvatars(assignment)] }
}
