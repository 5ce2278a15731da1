import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/EventStream"
import * as AuditRecordResource from "@community-messaging/http-adapter/definition/AuditRecordResource"
import * as EventResource from "@community-messaging/http-adapter/definition/EventResource"
import { Command, Options } from "@effect/cli"
import { Console, Effect, Stream } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"

const afterOption = Options.integer("after").pipe(
  Options.withDescription("A sequence number: begin after it. By default at the oldest."),
  Options.withDefault(0)
)

const tail = (composition: Composition) =>
  Command.make("tail", { after: afterOption, flags: storageFlags }, ({ after, flags }) =>
    DataCommand.run(
      composition,
      flags,
      "existing",
      Stream.runForEach(
        EventStream.from(after),
        (event) => Console.log(JSON.stringify(EventResource.fromEntity(event)))
      )
    )).pipe(Command.withDescription("Print events, one JSON object a line, and those to come until it is stopped."))

const read = (composition: Composition) =>
  Command.make("list", {
    after: afterOption,
    limit: Options.integer("limit").pipe(
      Options.withDescription("Records to print at the most."),
      Options.withDefault(1000)
    ),
    flags: storageFlags
  }, ({ after, flags, limit }) =>
    DataCommand.run(
      composition,
      flags,
      "existing",
      Effect.gen(function*() {
        const audit = yield* AuditLog
        yield* Effect.forEach(
          yield* audit.read(after, limit),
          (record) => Console.log(JSON.stringify(AuditRecordResource.fromEntity(record))),
          { discard: true }
        )
      })
    )).pipe(Command.withDescription("Print what administrators did, oldest first, one JSON object a line."))

/** `events tail`. */
export const events = (composition: Composition) =>
  Command.make("events").pipe(
    Command.withDescription("Follow what happens."),
    Command.withSubcommands([tail(composition)])
  )

/** `audit list`. */
export const audit = (composition: Composition) =>
  Command.make("audit").pipe(
    Command.withDescription("Read what administrators did."),
    Command.withSubcommands([read(composition)])
  )
