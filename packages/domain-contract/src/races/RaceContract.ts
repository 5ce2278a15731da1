import { describe } from "@effect/vitest"
import type { Scope } from "effect"
import type { TwoConnections } from "../world/World.ts"
import { accountRaces } from "./AccountRaces.ts"
import { consentRaces } from "./ConsentRaces.ts"
import { memberSearchRaces } from "./MemberSearchRaces.ts"
import { scheduledMessageRaces } from "./ScheduledMessageRaces.ts"
import { webhookRaces } from "./WebhookRaces.ts"

/**
 * The guarantees while units of work run concurrently on two servers that share a storage. Decision 38 has the table of use
 * cases. A storage whose units run one after another passes without locks. On other storages, each of these tests fails
 * without locks. A failed test does not run a second time: a race that is lost once in a while is a fault.
 */
export const raceContract = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("side by side on two servers", { retry: 0 }, () => {
    accountRaces(connections)
    consentRaces(connections)
    memberSearchRaces(connections)
    scheduledMessageRaces(connections)
    webhookRaces(connections)
  })
