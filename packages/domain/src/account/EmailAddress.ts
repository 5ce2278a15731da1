import { Option, Schema } from "effect"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"
import * as MailDomain from "./MailDomain.ts"

/** Identifies the refinement that checks the format of an e-mail address. */
export const EmailAddressSchemaId: unique symbol = Symbol.for("@community-messaging/domain/EmailAddress")

/** The maximum length of an e-mail address in characters (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const MAX_LENGTH = 254

/** The maximum number of characters before the `@` (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64

// RFC 5322 dot-atom with the letters of RFC 6532.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u

const split = (text: string): readonly [localPart: string, domain: string] => {
  const at = text.lastIndexOf("@")
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
}

/** Most addresses are printable ASCII, where only letters have more than one form: upper and lower case. */
const PLAIN = /^[!-~]*$/

/**
 * Removes the differences of form: compatibility forms (NFKC), invisible characters, and case. The result is equal for the
 * same texts as with Unicode's NFKC_Casefold, except that the dot of `i` is ignored, too. Several lower-case letters have
 * the same upper-case letter, so the text is first converted to upper case.
 */
const fold = (text: string): string => PLAIN.test(text) ? text.toLowerCase() : foldAny(text)

const foldAny = (text: string): string =>
  text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase().toUpperCase().toLowerCase().normalize("NFKC")

const isAddress = (text: string): boolean => {
  // Limits the work on the text before its length is counted in characters.
  if (text.length > 2 * MAX_LENGTH || codePointLength(text) > MAX_LENGTH) return false
  const [localPart, domain] = split(text)
  return codePointLength(localPart) <= MAX_LOCAL_PART_LENGTH &&
    LOCAL_PART.test(localPart) &&
    LOCAL_PART.test(fold(localPart)) &&
    Option.isSome(MailDomain.toAscii(domain))
}

/** An e-mail address as its owner wrote it, without surrounding white space. Source: API gaps, Change of e-mail. */
export const EmailAddress = Schema.String.pipe(
  Schema.filter(isAddress, {
    schemaId: EmailAddressSchemaId,
    identifier: "EmailAddress",
    jsonSchema: { format: "email", maxLength: MAX_LENGTH },
    message: () => "must be an e-mail address of at most 254 characters, at most 64 of them before the @",
    arbitrary: () => (fc) => fc.stringMatching(/^[a-z]{1,12}\.[a-z]{1,12}@[a-z]{1,12}\.(example|test)$/)
  }),
  Schema.brand("EmailAddress")
)
export type EmailAddress = typeof EmailAddress.Type

/**
 * Returns the key by which addresses are unique: equal keys mean the same address. The domain is compared as UTS 46 maps
 * it, the part before the `@` without differences of form. An address that was stored under older rules may have a domain
 * that is not valid today; such a domain is compared like the part before the `@`.
 */
export const uniquenessKey = (self: EmailAddress): string => {
  const [localPart, domain] = split(self)
  return `${fold(localPart)}@${Option.getOrElse(MailDomain.toAscii(domain), () => fold(domain))}`
}

/** Masks an e-mail address: only the first letter and the top-level domain remain readable. */
export const maskEmail = (email: EmailAddress): string => {
  const [localPart, domain] = split(email)
  const topLevel = domain.split(MailDomain.DOT).at(-1) ?? ""
  return `${Array.from(localPart)[0] ?? ""}***@***.${topLevel}`
}
