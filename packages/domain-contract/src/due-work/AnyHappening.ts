import { FastCheck } from "effect"
import type { Happening } from "./Happening.ts"
import * as People from "./PeopleActing.ts"
import * as Servers from "./ServersWorking.ts"

/** Anything that may happen, the frequent as often as it is interesting. */
export const anyHappening: FastCheck.Arbitrary<Happening> = FastCheck.oneof(
  { weight: 8, arbitrary: People.scheduling },
  { weight: 3, arbitrary: People.editing },
  { weight: 2, arbitrary: People.cancelling },
  { weight: 2, arbitrary: People.schedulingDeletion },
  { weight: 1, arbitrary: People.cancellingDeletion },
  { weight: 2, arbitrary: People.movingMember },
  { weight: 3, arbitrary: Servers.timePassing },
  { weight: 8, arbitrary: Servers.timeComing },
  { weight: 4, arbitrary: Servers.dispatching },
  { weight: 2, arbitrary: Servers.deleting },
  { weight: 1, arbitrary: Servers.removing },
  { weight: 2, arbitrary: Servers.dispatchingInVain },
  { weight: 2, arbitrary: Servers.outage },
  { weight: 1, arbitrary: Servers.deletingInVain },
  { weight: 4, arbitrary: Servers.crashing }
)
