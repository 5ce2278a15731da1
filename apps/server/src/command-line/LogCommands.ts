import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { DEFAULT_AUDIT_PAGE, MAX_AUDIT_PAGE } from "@community-messaging/http-adapter/operations/Api"
import * as AuditRecordResource from "@community-messaging/http-adapter/operations/AuditRecordResource"
import * as EventResource from "@community-messaging/http-adapter/operations/EventResource"
import { integerText } from "@community-messaging/http-adapter/wire/WireType"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema, Stream } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import * as ExitCode from "./ExitCode.ts"
import { CommandFailed } from "./Failure.ts"
import { option } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as Page from "./Page.ts"

const afterOption = option(
  "after",
  integerText({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  "A sequence number: begin after it. Default: begin at the oldest."
)

const From = Schema.Literal("now").annotations({ message: () => "must be now" })

const fromOption = Options.optional(
  option("from", From, "now: print new events only. Cannot be combined with --after.")
)

/** The position after which the events are printed. */
const beginning = (after: Option.Option<number>, from: Option.Option<"now">) =>
  Effect.gen(function*() {
    if (Option.isNone(from)) return Option.getOrElse(after, () => 0)
    if (Option.isSome(after)) return yield* new CommandFailed({ message: "--from cannot be combined with --after" })
    return yield* EventStream.end
  })

const tail = DataCommand.onExisting(
  "tail",
  { after: Options.optional(afterOption), from: fromOption },
  (options) =>
    Effect.flatMap(beginning(options.after, options.from), (position) =>
      Stream.runForEach(
        EventStream.from(position),
        (event) => Json.print(EventResource.fromEntity(event))
      )).pipe(Effect.onInterrupt(() => ExitCode.set(ExitCode.SUCCESS)))
).pipe(Command.withDescription("Print stored and new events, one JSON object per line, until stopped."))

const read = DataCommand.onExisting("list", {
  after: Options.withDefault(afterOption, 0),
  limit: option(
    "limit",
    integerText({ minimum: 1, maximum: MAX_AUDIT_PAGE }),
    `Maximum number of records to print, 1 to ${MAX_AUDIT_PAGE}. Default: ${DEFAULT_AUDIT_PAGE}.`
  ).pipe(Options.withDefault(DEFAULT_AUDIT_PAGE))
}, ({ after, limit }) =>
  Effect.gen(function*() {
    const audit = yield* AuditLog
    const { entries, more } = yield* Page.read(limit, (size) => audit.read(after, size))
    yield* Effect.forEach(entries, (record) => Json.print(AuditRecordResource.fromEntity(record)), { discard: true })
    yield* Page.printContinuation(more, entries.at(-1)?.sequence)
  })).pipe(Command.withDescription("Print the audit log, oldest first, one JSON object per line."))

/** The command `events tail`. */
export const events = Command.make("events").pipe(
  Command.withDescription("Follow the event log."),
  CommandTree.withSubcommands([tail])
)

/** The command `audit list`. */
export const audit = Command.make("audit").pipe(
  Command.withDescription("Read the audit log."),
  CommandTree.withSubcommands([read])
)
