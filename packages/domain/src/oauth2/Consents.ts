import { DateTime, Effect, Either, Option, Redacted, Schema } from "effect"
import { AccountScheduledForDeletion, InvalidCredentials } from "../access/Authentication.ts"
import { digestsEqual } from "../access/Token.ts"
import { Tokens } from "../access/Tokens.ts"
import { UnknownUser, type UserId } from "../account/User.ts"
import { UserRepository } from "../account/UserRepository.ts"
import type { UnknownGuild } from "../guild/Guild.ts"
import { type MissingGuildPermissions, permit } from "../guild/GuildPermissions.ts"
import { GuildRepository } from "../guild/GuildRepository.ts"
import { MemberJoined, MemberUpdated } from "../guild/MemberEvents.ts"
import { join, JOIN_SOURCE_TYPE } from "../guild/Membership.ts"
import { MembershipRepository } from "../guild/MembershipRepository.ts"
import { RoleId } from "../guild/Role.ts"
import type { Aggregate } from "../shared-kernel/Aggregate.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import type { Application, ApplicationId } from "./Application.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { type AccessGrant, CODE_LIFETIME, type Consent } from "./Consent.ts"
import { consentGranted } from "./ConsentEvents.ts"
import { ConsentRepository } from "./ConsentRepository.ts"
import {
  type BotAddition,
  type ConsentRequest,
  InvalidClient,
  type InvalidRedirectUri,
  NotABotApplication,
  redirectTo,
  type UnsupportedResponseType,
  validate
} from "./ConsentRequest.ts"
import type { InvalidScope } from "./Scope.ts"

/**
 * The code is unknown, expired, redeemed, or for another client or redirect URI; or its user is scheduled for deletion (RFC
 * 6749, 5.2).
 */
export class InvalidGrant extends Schema.TaggedError<InvalidGrant>()("InvalidGrant", {}) {
  override get message(): string {
    return "The code is unknown, expired or redeemed."
  }
}

/** Grants applications access to accounts of users (OAuth2, RFC 6749). */
export class Consents extends UseCase<Consents, {
  /**
   * Stores the user's consent and a single-use code, and adds the bot if the request includes one. Returns the absolute
   * URL to which the user is redirected. `authorisedPage` is the URL of the service's own page for applications without
   * a redirect URI; without it, their requests fail with `InvalidRedirectUri`. One transaction. Source: API reference,
   * Grant OAuth2 consent; API gaps, OAuth2 consent.
   */
  readonly grant: (
    userId: UserId,
    request: ConsentRequest,
    authorisedPage: Option.Option<string>
  ) => Effect.Effect<
    { readonly redirectTo: string },
    | InvalidClient
    | UnsupportedResponseType
    | InvalidScope
    | InvalidRedirectUri
    | NotABotApplication
    | UnknownGuild
    | MissingGuildPermissions
    | UnknownUser
    | AccountScheduledForDeletion
    | StorageError
  >
  /**
   * Exchanges a code for an access token, exactly once (RFC 6749, 4.1.3). A second attempt fails, and revokes the grant of
   * the first attempt (RFC 6749, 4.1.2). If the caller's unit of work fails as well, the revocation is rolled back.
   */
  readonly redeem: (request: {
    readonly clientId: ApplicationId
    readonly code: Redacted.Redacted
    readonly redirectUri: Option.Option<string>
  }) => Effect.Effect<
    { readonly accessToken: Redacted.Redacted; readonly grant: AccessGrant },
    InvalidGrant | StorageError
  >
  /**
   * Returns the grant of an access token that a request presents (RFC 6750, 2). The token works until the grant is revoked,
   * and not while the deletion of the user's account is scheduled.
   */
  readonly authenticate: (
    accessToken: Redacted.Redacted
  ) => Effect.Effect<AccessGrant, InvalidCredentials | AccountScheduledForDeletion | StorageError>
  /** Removes up to `limit` expired codes. Returns the count. */
  readonly removeExpiredCodes: (limit: number) => Effect.Effect<number, StorageError>
}>()(
  "@community-messaging/domain/Consents",
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    const consents = yield* ConsentRepository
    const users = yield* UserRepository
    const events = yield* EventLog
    const { atomically, lock } = yield* UnitOfWork
    const tokens = yield* Tokens
    const addBot = yield* makeAddBot

    return {
      grant: Effect.fnUntraced(
        function*(userId, request, authorisedPage) {
          const application = Option.getOrUndefined(yield* applications.find(request.clientId))
          if (application === undefined) return yield* new InvalidClient({ clientId: request.clientId })
          const validated = yield* validate(application, request, authorisedPage)
          yield* lock(
            { kind: "account", id: userId },
            ...Option.match(validated.bot, { onNone: () => [], onSome: (bot) => aggregatesOf(application, bot) })
          )
          // The account may have been deleted, or scheduled for deletion, since its token was checked.
          const status = Option.getOrUndefined(yield* users.findStatus(userId))
          if (status === undefined || status.deleted) return yield* new UnknownUser({ userId })
          if (status.scheduledForDeletion) return yield* new AccountScheduledForDeletion({ userId })
          if (Option.isSome(validated.bot)) yield* addBot(userId, application, validated.bot.value)

          const now = yield* DateTime.now
          const consent: Consent = {
            userId,
            applicationId: application.id,
            scopes: validated.scopes,
            permissions: Option.match(validated.bot, {
              onNone: () => Permissions.NONE,
              onSome: (bot) => bot.permissions
            }),
            guildId: Option.map(validated.bot, (bot) => bot.guildId),
            grantedAt: now
          }
          yield* consents.save(consent)
          const { digest, token } = yield* tokens.generate("authorizationCode")
          yield* consents.insertCode({
            digest,
            applicationId: application.id,
            userId,
            redirectUri: request.redirectUri,
            scopes: validated.scopes,
            expiresAt: DateTime.addDuration(now, CODE_LIFETIME),
            redeemedAt: Option.none()
          })
          yield* events.append(consentGranted(consent))
          return { redirectTo: redirectTo(validated, Redacted.value(token), request.state) }
        },
        atomically,
        traced("Consents.grant")
      ),
      redeem: Effect.fnUntraced(
        function*({ clientId, code, redirectUri }) {
          const digest = Option.getOrUndefined(tokens.digest("authorizationCode", code))
          if (digest === undefined) return Option.none()
          const now = yield* DateTime.now
          // The code may be removed after its expiry, but its grant still has the code's digest.
          const revokeGrants = Effect.as(
            consents.revokeGrantsOfCode({ codeDigest: digest, applicationId: clientId, at: now }),
            Option.none()
          )
          const stored = Option.getOrUndefined(yield* consents.findCode(digest))
          if (stored === undefined || Option.isSome(stored.redeemedAt)) return yield* revokeGrants
          yield* lock({ kind: "account", id: stored.userId })
          const user = yield* users.findStatus(stored.userId)
          if (
            stored.applicationId !== clientId ||
            !Option.exists(user, (found) => !found.deleted && !found.scheduledForDeletion) ||
            Option.getOrUndefined(stored.redirectUri) !== Option.getOrUndefined(redirectUri) ||
            DateTime.lessThanOrEqualTo(stored.expiresAt, now)
          ) {
            return Option.none()
          }
          // Another attempt may have redeemed the code since this one found it.
          if (!(yield* consents.redeemCode(digest, now))) return yield* revokeGrants
          const access = yield* tokens.generate("accessToken")
          const grant: AccessGrant = {
            tokenDigest: access.digest,
            codeDigest: digest,
            applicationId: clientId,
            userId: stored.userId,
            scopes: stored.scopes,
            createdAt: now,
            revokedAt: Option.none()
          }
          yield* consents.insertGrant(grant)
          return Option.some({ accessToken: access.token, grant })
        },
        // Fail after the commit, because the revocation must be committed.
        (transaction) => Effect.flatMap(atomically(transaction), Either.fromOption(() => new InvalidGrant())),
        traced("Consents.redeem")
      ),
      authenticate: Effect.fnUntraced(function*(accessToken) {
        const digest = Option.getOrUndefined(tokens.digest("accessToken", accessToken))
        if (digest === undefined) return yield* new InvalidCredentials()
        const grant = Option.getOrUndefined(yield* consents.findGrant(digest))
        if (grant === undefined || Option.isSome(grant.revokedAt) || !digestsEqual(grant.tokenDigest, digest)) {
          return yield* new InvalidCredentials()
        }
        const status = Option.getOrUndefined(yield* users.findStatus(grant.userId))
        if (status === undefined || status.deleted) return yield* new InvalidCredentials()
        if (status.scheduledForDeletion) return yield* new AccountScheduledForDeletion({ userId: grant.userId })
        return grant
      }, traced("Consents.authenticate")),
      removeExpiredCodes: (limit) =>
        Effect.flatMap(DateTime.now, (now) => consents.removeCodesExpiredBefore(now, limit))
    }
  })
) {}

/** The aggregates that the addition of the bot changes: the bot's account, if the application has one, and the guild. */
const aggregatesOf = ({ botUserId }: Application, { guildId }: BotAddition): ReadonlyArray<Aggregate> => [
  ...Option.toArray(Option.map(botUserId, (id): Aggregate => ({ kind: "account", id }))),
  { kind: "guild", id: guildId }
]

/**
 * Makes the function that adds an application's bot to a guild with a managed role, or updates that role's permissions.
 */
const makeAddBot = Effect.gen(function*() {
  const users = yield* UserRepository
  const guilds = yield* GuildRepository
  const memberships = yield* MembershipRepository
  const events = yield* EventLog
  const snowflakes = yield* SnowflakeGenerator

  const managedRole = Effect.fnUntraced(
    function*(botUserId: UserId, application: Application, { guildId, permissions }: BotAddition) {
      const found = yield* guilds.findManagedRole(guildId, botUserId)
      const role = Option.isSome(found) ? { ...found.value, permissions } : {
        id: toId(RoleId, yield* snowflakes.next),
        guildId,
        name: application.name,
        permissions,
        managedBy: Option.some(botUserId)
      }
      yield* guilds.saveRole(role)
      return role
    }
  )

  return Effect.fnUntraced(
    function*(userId: UserId, application: Application, bot: BotAddition) {
      // The bot must not get permissions that the user does not have.
      const member = yield* memberships.findWithRoles(bot.guildId, userId)
      yield* permit(member, userId, bot.guildId, Permissions.union(Permissions.MANAGE_GUILD, bot.permissions))
      const botUserId = Option.getOrUndefined(application.botUserId)
      const status = botUserId === undefined ? Option.none() : yield* users.findStatus(botUserId)
      if (botUserId === undefined || !Option.exists(status, ({ deleted }) => !deleted)) {
        return yield* new NotABotApplication({ clientId: application.id })
      }
      const role = yield* managedRole(botUserId, application, bot)
      const membership = Option.getOrUndefined(yield* memberships.find(bot.guildId, botUserId))
      if (membership === undefined) {
        const joinSourceType = JOIN_SOURCE_TYPE.botConsent
        yield* memberships.save({
          ...join({ guildId: bot.guildId, userId: botUserId, joinSourceType, at: yield* DateTime.now }),
          roleIds: [role.id],
          inviterId: Option.some(userId)
        })
        yield* events.append(MemberJoined.of({ guildId: bot.guildId, userId: botUserId }))
      } else if (!membership.roleIds.includes(role.id)) {
        yield* memberships.save({ ...membership, roleIds: [...membership.roleIds, role.id] })
        yield* events.append(MemberUpdated.of({ guildId: bot.guildId, userId: botUserId }))
      }
    }
  )
})
