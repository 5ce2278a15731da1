import { Accounts } from "@community-messaging/domain/account/Accounts"
import { stateOf, type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { createdAt, SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { isoOrNull } from "@community-messaging/http-adapter/wire/WireType"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, DateTime, Effect, Option } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { idArgument, jsonFlag } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as Page from "./Page.ts"
import { table } from "./Table.ts"

const kindOf = ({ bot, system }: User): string => system ? "system" : bot ? "bot" : "person"

/** Converts an account to JSON for operators, without personal data. */
const toJson = (user: User) => ({
  id: user.id,
  username: user.username,
  discriminator: user.discriminator,
  global_name: Option.getOrNull(user.globalName),
  bot: user.bot,
  system: user.system,
  state: stateOf(user).replaceAll(" ", "_"),
  pending_deletion_at: isoOrNull(user.pendingDeletionAt),
  deletion_reason_code: Option.getOrNull(user.deletionReasonCode),
  deleted_at: isoOrNull(user.deletedAt)
})

const stateText = (user: User): string => {
  const at = Option.orElse(user.deletedAt, () => user.pendingDeletionAt)
  return [stateOf(user), ...Option.toArray(Option.map(at, DateTime.formatIso))].join(" ")
}

const list = DataCommand.onExisting("list", {
  deleted: Options.boolean("deleted").pipe(Options.withDescription("Only deleted accounts.")),
  scheduled: Options.boolean("scheduled-for-deletion").pipe(
    Options.withDescription("Only accounts that are scheduled for deletion.")
  ),
  ...Page.ascending(UserId),
  json: jsonFlag
}, ({ after, deleted, json, limit, scheduled }) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    if (deleted && scheduled) {
      return yield* new CommandFailed({ message: "--deleted and --scheduled-for-deletion exclude each other" })
    }
    const page = yield* Page.read(limit, (size) =>
      users.list({
        after,
        limit: size,
        ...(deleted && { state: "deleted" }),
        ...(scheduled && { state: "scheduled for deletion" })
      }))
    yield* Page.print(page, {
      json,
      toJson,
      columns: ["ID", "USERNAME", "KIND", "STATE"],
      row: (user) => [user.id, user.username, kindOf(user), stateText(user)],
      empty: "There is no such account."
    })
  })).pipe(Command.withDescription("List accounts."))

const yesOrNo = (value: Option.Option<boolean>): string => Option.contains(value, true) ? "yes" : "no"

const emailText = (user: User, shown: boolean): string =>
  Option.match(user.email, {
    onNone: () => "none",
    onSome: (email) =>
      `${shown ? email : "hidden, shown with --email"} (verified: ${yesOrNo(user.emailVerified)}, ` +
      `bounced: ${yesOrNo(user.emailBounced)})`
  })

const show = DataCommand.onExisting("show", {
  id: idArgument(UserId, "Id of the account."),
  email: Options.boolean("email").pipe(Options.withDescription("Show the e-mail address, too.")),
  json: jsonFlag
}, ({ email, id, json }) =>
  Effect.gen(function*() {
    const [users, memberships] = yield* Effect.all([UserRepository, MembershipRepository])
    const found = Option.getOrUndefined(yield* users.find(id))
    if (found === undefined) return yield* new CommandFailed({ message: `there is no account ${id}` })
    const guilds = (yield* memberships.ofUser(found.id)).map(({ guildId }) => guildId)
    const created = DateTime.formatIso(createdAt(found.id, yield* SnowflakeEpoch))
    if (json) {
      return yield* Json.print({
        ...toJson(found),
        deletion_public_reason: Option.getOrNull(found.deletionPublicReason),
        has_email: Option.isSome(found.email),
        email_verified: Option.getOrNull(found.emailVerified),
        email_bounced: Option.getOrNull(found.emailBounced),
        ...(email && { email: Option.getOrNull(found.email) }),
        created_at: created,
        guild_ids: guilds
      })
    }
    yield* Console.log(table([
      ["id", found.id],
      ["username", found.username],
      ["name", Option.getOrElse(found.globalName, () => "none")],
      ["kind", kindOf(found)],
      ["state", stateText(found)],
      ...Option.toArray(Option.map(found.deletionReasonCode, (code) => ["reason code", String(code)] as const)),
      ...Option.toArray(Option.map(found.deletionPublicReason, (reason) => ["reason", reason] as const)),
      ["e-mail", emailText(found, email)],
      ["created", created],
      ["guilds", guilds.length === 0 ? "none" : guilds.join(" ")]
    ]))
  })).pipe(Command.withDescription("Show an account, without personal data unless asked for."))

const cancelDeletion = DataCommand.onExisting("cancel-deletion", {
  id: idArgument(UserId, "Id of the account."),
  json: jsonFlag
}, ({ id, json }) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const user = yield* accounts.cancelDeletion({ userId: id, actor: COMMAND_LINE })
    yield* json
      ? Json.print(toJson(user))
      : Console.error(`The deletion of account ${id} is cancelled. Its tokens work again.`)
  })).pipe(Command.withDescription("Cancel the scheduled deletion of an account."))

/** The commands `user list`, `user show` and `user cancel-deletion`. */
export const command = Command.make("user").pipe(
  Command.withDescription("List accounts, show them and cancel their deletion."),
  CommandTree.withSubcommands([list, show, cancelDeletion])
)
