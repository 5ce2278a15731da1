import { Accounts } from "@community-messaging/domain/account/Accounts"
import { UserId } from "@community-messaging/domain/account/User"
import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { parse } from "./Flags.ts"

const cancelDeletion = (composition: Composition) =>
  Command.make("cancel-deletion", {
    id: Args.text({ name: "ID" }).pipe(Args.withDescription("Id of the account.")),
    flags: storageFlags
  }, ({ flags, id }) =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      yield* accounts.cancelDeletion({ userId: yield* parse("ID", UserId, id), actor: { _tag: "CommandLine" } })
      yield* Console.error(`The deletion of account ${id} is cancelled. Its tokens work again.`)
    }).pipe(
      Effect.catchTags({
        UnknownUser: () => new CommandFailed({ reason: `there is no account ${id}` }),
        NoDeletionScheduled: () => new CommandFailed({ reason: `the account ${id} has no scheduled deletion` })
      }),
      (command) => DataCommand.run(composition, flags, "existing", command)
    )).pipe(Command.withDescription("Cancel the scheduled deletion of an account."))

/** The command `user cancel-deletion`. */
export const make = (composition: Composition) =>
  Command.make("user").pipe(
    Command.withDescription("Manage accounts."),
    Command.withSubcommands([cancelDeletion(composition)])
  )
