import { Schema } from "effect"
import { WITHOUT_VALIDATION } from "./WithoutValidation.ts"

/** A set of permission bits; unknown bits may be set. */
export const Permissions = Schema.NonNegativeBigIntFromSelf.pipe(Schema.brand("Permissions"))
export type Permissions = typeof Permissions.Type

/** The decimal form of a permission bit set, as the API uses it: at most 78 digits. Encoded without leading zeros. */
export const PermissionsFromString = Schema.transform(
  Schema.String.pipe(Schema.pattern(/^[0-9]{1,78}$/, {
    message: () => "must be a non-negative integer of at most 78 decimal digits"
  })),
  Permissions,
  { strict: true, decode: (digits) => BigInt(digits), encode: (bits) => bits.toString() }
)

/** The empty set. */
export const NONE = Permissions.make(0n)

/** The known permissions and their bits. */
export const KNOWN = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_AUDIT_LOG: 1n << 7n,
  PRIORITY_SPEAKER: 1n << 8n,
  STREAM: 1n << 9n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  SEND_TTS_MESSAGES: 1n << 12n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_EXTERNAL_EMOJIS: 1n << 18n,
  CONNECT: 1n << 20n,
  SPEAK: 1n << 21n,
  MUTE_MEMBERS: 1n << 22n,
  DEAFEN_MEMBERS: 1n << 23n,
  MOVE_MEMBERS: 1n << 24n,
  USE_VOICE_ACTIVITY: 1n << 25n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  MANAGE_EXPRESSIONS: 1n << 30n,
  USE_EXTERNAL_STICKERS: 1n << 37n,
  MODERATE_MEMBERS: 1n << 40n,
  CREATE_EXPRESSIONS: 1n << 43n,
  PIN_MESSAGES: 1n << 51n,
  BYPASS_SLOWMODE: 1n << 52n,
  UPDATE_RTC_REGION: 1n << 53n
} as const

const ALL_KNOWN = Object.values(KNOWN).reduce((all, bit) => all | bit, 0n)

/** All known permissions. */
export const ALL = Permissions.make(ALL_KNOWN)

/** The permission to do everything. */
export const ADMINISTRATOR = Permissions.make(KNOWN.ADMINISTRATOR)

/** The permission to manage the guild. */
export const MANAGE_GUILD = Permissions.make(KNOWN.MANAGE_GUILD)

/** Removes all unknown bits (API gaps, OAuth2 consent). */
export const known = (self: Permissions): Permissions => Permissions.make(self & ALL_KNOWN, WITHOUT_VALIDATION)

/** Returns the union of both sets. */
export const union = (self: Permissions, that: Permissions): Permissions =>
  Permissions.make(self | that, WITHOUT_VALIDATION)

/** Returns whether the set has every permission of the other set. */
export const includes = (self: Permissions, that: Permissions): boolean => (that & ~self) === 0n
