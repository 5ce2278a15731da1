import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { codePointLength } from "@community-messaging/domain/CodePointLength"
import { cleanName } from "@community-messaging/domain/webhook/Webhook"
import { AvatarDataUri } from "@community-messaging/http-adapter/webhooks/AvatarDataUri"
import { Schema } from "effect"

/*
 * The rules of single values that no validation library knows, so that all peers accept the same. Everything else about a
 * body each peer says in its own way.
 */

/** A bit set of permissions, as a decimal number. */
export const isPermissions = (text: string): boolean => /^(0|[1-9][0-9]{0,77})$/.test(text)

/** Whether the text has at most so many characters (code points, not UTF-16 units). */
export const hasAtMost = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= maximum * 2 && codePointLength(text) <= maximum)

const isAddress = Schema.is(EmailAddress)

/** An e-mail address; white space around it is ignored. */
export const isEmail = (text: string): boolean => isAddress(text.trim())

/** The display name of a webhook, when cleaned of what does not count. */
export const isWebhookName = (text: string): boolean => {
  const length = codePointLength(cleanName(text))
  return length >= 1 && length <= 80
}

/** An image as a data URI. */
export const isAvatar = Schema.is(AvatarDataUri)

/** A 64-bit integer, as far as a JSON number can tell. */
export const INT64 = { minimum: -(2 ** 63), maximum: 2 ** 63 } as const

/** A 32-bit integer. */
export const INT32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 } as const

/** The most bytes of a body (API gaps, Errors). */
export const BODY_LIMIT = {
  usual: 1024 * 1024,
  webhookUpdate: 14 * 1024 * 1024,
  codeHost: 25 * 1024 * 1024
} as const
