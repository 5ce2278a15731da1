import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, FastCheck, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { anyCommand } from "../../src/due-work/AnyCommand.ts"
import type { Command } from "../../src/due-work/Command.ts"
import * as Model from "../../src/due-work/DueWorkModel.ts"
import { dueWorkModelContract } from "../../src/due-work/DueWorkModelContract.ts"

const runAll = (commands: ReadonlyArray<Command>): Model.Model =>
  commands.reduce(
    (model, { inModel, precondition }) => precondition(model) ? inModel(model).model : model,
    Model.initial(0, 3)
  )

const statusesOf = ({ accounts, messages }: Model.Model): ReadonlyArray<string> => [
  ...messages.map(({ removed, status }) => removed ? "removed" : status),
  ...accounts.flatMap(({ isDeleted }) => isDeleted ? ["deleted"] : [])
]

/** Enough runs that each status is reached with any seed. A run of the contract reaches some of them. */
const RUNS = 1000

it("the commands of the contract reach every status of messages and accounts", () => {
  const commands = FastCheck.array(anyCommand, { maxLength: 80, size: "max" })
  const seen = new Set(FastCheck.sample(commands, RUNS).flatMap((run) => statusesOf(runAll(run))))
  expect([...seen].toSorted())
    .toEqual(["cancelled", "deleted", "failed", "invalid", "removed", "scheduled", "sent"])
})

describe("A correct storage holds the contract, also if the values that are drawn reach few statuses", () => {
  const before = FastCheck.readConfigureGlobal()
  beforeAll(() => FastCheck.configureGlobal({ ...before, seed: 3 }))
  afterAll(() => FastCheck.configureGlobal(before))

  dueWorkModelContract(
    Effect.map(Layer.build(StorageMemory.layer), (connection) => [connection, connection] as const)
  )
})
