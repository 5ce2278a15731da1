import { TokenDigest } from "@community-messaging/domain/access/Token"
import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"

let used = 0

const next = (): number => {
  used += 1
  return used
}

/** A new snowflake, of 5 to 18 digits, so that order by number and order by text differ. */
export const snowflake = (): Snowflake => {
  const number = next()
  return Snowflake.make((10n ** BigInt(4 + number % 14) + BigInt(number)).toString())
}

/** A new digest of a token. */
export const digest = (): TokenDigest => TokenDigest.make(next().toString(16).padStart(64, "0"))

/** A new hash of an avatar. */
export const avatarHash = (): AvatarHash => AvatarHash.make(next().toString(16).padStart(32, "0"))
