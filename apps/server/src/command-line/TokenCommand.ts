import { AccessControl, AdminKeyName, type Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials, type Issued } from "@community-messaging/domain/access/Credentials"
import { UserId } from "@community-messaging/domain/account/User"
import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { isoOrNull } from "@community-messaging/http-adapter/wire/WireType"
import * as Command from "@effect/cli/Command"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { idArgument, jsonFlag, oneOf, option, repeatedOption } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as Page from "./Page.ts"

/** Converts a credential to JSON, without its digest. */
const toJson = (credential: Credential) => ({
  id: credential.id,
  ...credential._tag === "BotToken"
    ? { type: "bot", user_id: credential.userId }
    : { type: "admin", name: credential.name, acls: credential.acls },
  created_at: DateTime.formatIso(credential.createdAt),
  revoked_at: isoOrNull(credential.revokedAt)
})

/**
 * Prints the token alone to the standard output, so that it can be piped. The explanation goes to the standard error.
 */
const printIssued = ({ credential, token }: Issued<Credential>, json: boolean) =>
  json
    ? Json.print({ ...toJson(credential), token: Redacted.value(token) })
    : Effect.zipRight(
      Console.error(`Issued credential ${credential.id}. This is its token. It cannot be shown again:`),
      Console.log(Redacted.value(token))
    )

const issueBot = DataCommand.onExisting("bot", {
  user: option("user", UserId, "Id of the bot's account."),
  json: jsonFlag
}, ({ json, user }) =>
  Effect.gen(function*() {
    const credentials = yield* Credentials
    yield* printIssued(yield* credentials.issueBotToken(user, COMMAND_LINE), json)
  })).pipe(Command.withDescription("Issue a token for a bot account."))

const issueAdmin = DataCommand.onAny("admin", {
  name: option("name", Schema.compose(Schema.Trim, AdminKeyName), "Name of the key. The audit log shows it."),
  acls: repeatedOption("acl", oneOf(AccessControl), {
    description: `A right of the key, repeatable: ${AccessControl.literals.join(", ")} (* is all).`,
    minimum: 1
  }),
  json: jsonFlag
}, ({ acls, json, name }) =>
  Effect.gen(function*() {
    const credentials = yield* Credentials
    yield* printIssued(yield* credentials.issueAdminKey({ name, acls: Array.from(new Set(acls)) }, COMMAND_LINE), json)
  })).pipe(Command.withDescription("Issue a key for the administrative operations."))

const row = (credential: Credential): ReadonlyArray<string> => [
  credential.id,
  ...credential._tag === "BotToken"
    ? ["bot", `user ${credential.userId}`]
    : ["admin", `${credential.name} (${credential.acls.join(", ")})`],
  DateTime.formatIso(credential.createdAt),
  Option.match(credential.revokedAt, {
    onNone: () => "valid",
    onSome: (at) => `revoked ${DateTime.formatIso(at)}`
  })
]

const list = DataCommand.onExisting(
  "list",
  { ...Page.ascending(CredentialId), json: jsonFlag },
  ({ after, json, limit }) =>
    Effect.gen(function*() {
      const credentials = yield* CredentialRepository
      const page = yield* Page.read(limit, (size) => credentials.list({ after, limit: size }))
      yield* Page.print(page, {
        json,
        toJson,
        columns: ["ID", "TYPE", "OF", "ISSUED", "STATE"],
        row,
        empty: "There is no such token."
      })
    })
).pipe(Command.withDescription("List tokens and keys, including revoked ones, without their secrets."))

const revoke = DataCommand.onExisting("revoke", {
  id: idArgument(CredentialId, "Id of the credential, as `token list` shows it."),
  json: jsonFlag
}, ({ id, json }) =>
  Effect.gen(function*() {
    const credentials = yield* Credentials
    const credential = yield* credentials.revoke(id, COMMAND_LINE)
    yield* json
      ? Json.print(toJson(credential))
      : Console.error(`Credential ${id} is revoked. A running server rejects it from now on.`)
  })).pipe(Command.withDescription("Revoke a token or a key permanently."))

/** The commands `token issue bot`, `token issue admin`, `token list` and `token revoke`. */
export const command = Command.make("token").pipe(
  Command.withDescription("Issue, list and revoke bot tokens and admin keys."),
  CommandTree.withSubcommands([
    Command.make("issue").pipe(
      Command.withDescription("Issue a token. It is printed once."),
      CommandTree.withSubcommands([issueBot, issueAdmin])
    ),
    list,
    revoke
  ])
)
