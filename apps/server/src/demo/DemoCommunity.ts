import { JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { KNOWN } from "@community-messaging/domain/shared-kernel/Permissions"
import { TIMESTAMP_SHIFT } from "@community-messaging/domain/shared-kernel/Snowflake"
import { type DateTime, Effect, Option, Random, Stream } from "effect"
import * as Import from "../transfer/Import.ts"
import { NAME_STOCKS, type NameStock, NICKNAMES } from "./DemoNames.ts"
import { scheduledMessages } from "./DemoScheduledMessages.ts"

/** The redirect URI of the demo's application. No server has to exist there. */
export const REDIRECT_URI = "https://weather.example/callback?from=community"

/** The name of the role by which the demo finds its bot. */
export const BOT_ROLE_NAME = "Concierge"

/** The permissions of the demo's bot. */
const BOT_PERMISSIONS = KNOWN.MANAGE_GUILD | KNOWN.VIEW_CHANNEL | KNOWN.SEND_MESSAGES

const PEOPLE = 320
const FIRST_ACCOUNT = Date.UTC(2018, 0, 15)
const FOUNDING = Date.UTC(2019, 4, 1, 9)
const LAST_JOIN = Date.UTC(2025, 5, 30)
const INVITES = ["spring-fair", "garden", "choir", "meetup42", "newsletter"]
const VANITY_CODE = "riverside"
const EVERYONE = KNOWN.VIEW_CHANNEL | KNOWN.SEND_MESSAGES | KNOWN.READ_MESSAGE_HISTORY | KNOWN.ADD_REACTIONS

/** Returns a snowflake of this time; `index` makes snowflakes of the same time different. */
const snowflake = (epoch: number, moment: number, index: number): string =>
  ((BigInt(Math.max(0, Math.floor(moment) - epoch)) << TIMESTAMP_SHIFT) | BigInt(index)).toString()

/** The fixed ids of the demo. They depend only on the epoch. */
export const idsOf = (epoch: number) => ({
  guild: snowflake(epoch, FOUNDING, 1),
  owner: snowflake(epoch, FIRST_ACCOUNT, 2),
  bot: snowflake(epoch, FOUNDING, 3),
  weatherBot: snowflake(epoch, FOUNDING, 4),
  botRole: snowflake(epoch, FOUNDING, 5),
  moderator: snowflake(epoch, FOUNDING, 6),
  translator: snowflake(epoch, FOUNDING, 7),
  veteran: snowflake(epoch, FOUNDING, 8),
  nightOwl: snowflake(epoch, FOUNDING, 9),
  square: snowflake(epoch, FOUNDING, 10),
  builds: snowflake(epoch, FOUNDING, 11),
  application: snowflake(epoch, FOUNDING, 12)
})
export type DemoIds = ReturnType<typeof idsOf>

const iso = (millis: number): string => new Date(Math.floor(millis)).toISOString()

const chance = (probability: number) => Effect.map(Random.next, (value) => value < probability)

const person = (stock: NameStock, id: string, number: number) =>
  Effect.gen(function*() {
    const [given, givenHandle] = yield* Random.choice(stock.given)
    const [family, familyHandle] = yield* Random.choice(stock.family)
    const separator = yield* Random.choice(["", "_", "."])
    const handle = `${givenHandle}${separator}${familyHandle}${number}`
    return {
      kind: "user",
      id,
      username: handle,
      discriminator: (yield* chance(0.3)) ? yield* Random.nextIntBetween(1, 10_000) : 0,
      global_name: (yield* chance(0.9)) ? stock.write(given, family) : null,
      email: `${handle}@example.org`,
      email_verified: yield* chance(0.8),
      email_bounced: yield* chance(0.03),
      date_of_birth: `${yield* Random.nextIntBetween(1950, 2006)}-06-15`,
      locale: stock.locale,
      has_totp: yield* chance(0.25),
      last_active_at: iso(yield* Random.nextRange(FOUNDING, LAST_JOIN))
    }
  })

const joinSource = (ids: DemoIds, earlier: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const value = yield* Random.next
    if (value < 0.6) {
      return {
        join_source_type: JOIN_SOURCE_TYPE.invite,
        inviter_id: yield* Random.choice(earlier),
        source_invite_code: yield* Random.choice(INVITES)
      }
    }
    if (value < 0.75) return { join_source_type: JOIN_SOURCE_TYPE.vanityLink, source_invite_code: VANITY_CODE }
    if (value < 0.8) return { join_source_type: JOIN_SOURCE_TYPE.addedByAdministrator, inviter_id: ids.owner }
    return { join_source_type: JOIN_SOURCE_TYPE.discovery }
  })

const rolesOf = (ids: DemoIds, stock: NameStock, joined: number) =>
  Effect.gen(function*() {
    return [
      ...(yield* chance(0.04)) ? [ids.moderator] : [],
      ...(!stock.locale.startsWith("en") && (yield* chance(0.2))) ? [ids.translator] : [],
      ...joined < Date.UTC(2021, 0, 1) ? [ids.veteran] : [],
      ...(yield* chance(0.1)) ? [ids.nightOwl] : []
    ]
  })

/** The records of people and their memberships. */
const people = (epoch: number, ids: DemoIds) =>
  Effect.gen(function*() {
    const users: Array<object> = []
    const members: Array<object> = []
    const arrivals: Array<string> = []
    for (let number = 0; number < PEOPLE; number += 1) {
      const stock = Option.getOrThrow(Option.fromNullable(NAME_STOCKS[number % NAME_STOCKS.length]))
      const owner = number === 0
      const created = yield* Random.nextRange(FIRST_ACCOUNT, LAST_JOIN)
      const joined = owner ? FOUNDING : yield* Random.nextRange(Math.max(created, FOUNDING), LAST_JOIN)
      const id = owner ? ids.owner : snowflake(epoch, created, 1000 + number)
      users.push(yield* person(stock, id, number))
      members.push({
        kind: "member",
        guild_id: ids.guild,
        user_id: id,
        nickname: (yield* chance(0.15)) ? yield* Random.choice(NICKNAMES) : null,
        role_ids: yield* rolesOf(ids, stock, joined),
        joined_at: Math.floor(joined / 1000),
        supplemental: owner ? { join_source_type: JOIN_SOURCE_TYPE.creator } : yield* joinSource(ids, arrivals)
      })
      arrivals.push(id)
    }
    return { users, members }
  })

const role = (guildId: string, id: string, name: string, permissions: bigint) => ({
  kind: "role",
  id,
  guild_id: guildId,
  name,
  permissions: permissions.toString()
})

/** Returns the records of the bot that calls the service: its account, its role and its membership. */
export const bot = (ids: Pick<DemoIds, "guild" | "owner" | "bot" | "botRole">): ReadonlyArray<object> => [
  { kind: "user", id: ids.bot, username: "concierge", global_name: "Concierge", bot: true },
  { ...role(ids.guild, ids.botRole, BOT_ROLE_NAME, BOT_PERMISSIONS), managed_by: ids.bot },
  {
    kind: "member",
    guild_id: ids.guild,
    user_id: ids.bot,
    role_ids: [ids.botRole],
    joined_at: FOUNDING / 1000 + 60,
    supplemental: { join_source_type: JOIN_SOURCE_TYPE.botConsent, inviter_id: ids.owner }
  }
]

const guild = (ids: DemoIds) => [
  { kind: "guild", id: ids.guild, name: "Riverside Makers 🛶", owner_id: ids.owner },
  role(ids.guild, ids.guild, "@everyone", EVERYONE),
  role(ids.guild, ids.moderator, "Moderator", EVERYONE | KNOWN.MANAGE_MESSAGES | KNOWN.KICK_MEMBERS),
  role(ids.guild, ids.translator, "Translator", EVERYONE),
  role(ids.guild, ids.veteran, "Veteran", EVERYONE),
  role(ids.guild, ids.nightOwl, "Night owl", EVERYONE),
  { kind: "channel", id: ids.square, guild_id: ids.guild, name: "town-square" },
  { kind: "channel", id: ids.builds, guild_id: ids.guild, name: "builds" }
]

/** The application and its bot, which joins by consent. */
const application = (ids: DemoIds) => [
  { kind: "user", id: ids.weatherBot, username: "weather", global_name: "Weather ⛅", bot: true },
  {
    kind: "application",
    id: ids.application,
    name: "Weather",
    bot_user_id: ids.weatherBot,
    redirect_uris: [REDIRECT_URI]
  }
]

/**
 * Returns the demo community as import records: some 300 members with names in many scripts, who joined over
 * years in different ways, a bot that may manage the guild, an application, and scheduled messages of the bot. The
 * records are always the same, except for the times of the scheduled messages.
 */
export const records = (epoch: number, now: DateTime.Utc): Effect.Effect<ReadonlyArray<object>> =>
  Effect.gen(function*() {
    const ids = idsOf(epoch)
    const { members, users } = yield* people(epoch, ids)
    return [
      ...users,
      ...guild(ids),
      ...members,
      ...bot(ids),
      ...application(ids),
      ...scheduledMessages(ids, (moment, index) => snowflake(epoch, moment, index), now)
    ]
  }).pipe(
    // Nothing is chosen from an empty list.
    Effect.orDie,
    Effect.withRandom(Random.make("Riverside Makers"))
  )

/** Imports these records. */
export const save = (made: ReadonlyArray<object>) => {
  const lines = made.map((record, index) => {
    const text = JSON.stringify(record)
    return { number: index + 1, bytes: text.length, text, problem: undefined }
  })
  return Import.run(Stream.fromIterable(lines), {
    strict: true,
    report: ({ problems }) => Effect.logError("The demo has an invalid record", problems)
  }).pipe(Effect.catchTags({
    StrictImportRefused: (error) => Effect.die(error),
    ImportStopped: ({ cause }) => cause
  }))
}
