import { TokenDigest } from "@community-messaging/domain/access/Token"
import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"

let used = 0

const next = (): number => {
  used += 1
  return used
}

/** A snowflake that was not given before, of 5 to 18 digits, so that order by number and order by text differ. */
export const snowflake = (): Snowflake => {
  const number = next()
  return Snowflake.make((10n ** BigInt(4 + number % 14) + BigInt(number)).toString())
}

/** A token's digest that was not given before. */
export const digest = (): TokenDigest => TokenDigest.make(next().toString(16).padStart(64, "0"))

/** An avatar's hash that was not given before. */
export const avatarHash = (): AvatarHash => AvatarHash.make(next().toString(16).padStart(32, "0"))
