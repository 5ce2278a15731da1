import { FastCheck } from "effect"
import * as Authors from "./AuthorCommands.ts"
import type { Command } from "./Command.ts"
import * as Servers from "./ServerCommands.ts"

/** Any command; interesting ones are more frequent. */
export const anyCommand: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  { weight: 8, arbitrary: Authors.scheduling },
  { weight: 3, arbitrary: Authors.editing },
  { weight: 2, arbitrary: Authors.cancelling },
  { weight: 2, arbitrary: Authors.schedulingDeletion },
  { weight: 1, arbitrary: Authors.cancellingDeletion },
  { weight: 2, arbitrary: Authors.movingMember },
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
