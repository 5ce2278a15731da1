import { Schema } from "effect"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"

/** Identifies the refinement that checks the format of an e-mail address. */
export const EmailAddressSchemaId: unique symbol = Symbol.for("@community-messaging/domain/EmailAddress")

/** The maximum length of an e-mail address in characters (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const MAX_LENGTH = 254

/** The maximum number of characters before the `@` (RFC 5321, 4.5.3.1.1). */
export const MAX_LOCAL_PART_LENGTH = 64

// RFC 5322 dot-atom with the letters of RFC 6532 before the @, RFC 1123 labels (any script, RFC 5890) after it.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

const isAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  if (at < 1) return false
  const localPart = text.slice(0, at)
  const labels = text.slice(at + 1).split(".")
  return codePointLength(text) <= MAX_LENGTH &&
    codePointLength(localPart) <= MAX_LOCAL_PART_LENGTH &&
    LOCAL_PART.test(localPart) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label))
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

/** Returns the key by which addresses are unique: in lower case and NFC. Equal keys mean the same address. */
export const uniquenessKey = (self: EmailAddress): string => self.toLowerCase().normalize("NFC")

/** Masks an e-mail address: only the first letter and the top-level domain remain readable. */
export const maskEmail = (email: EmailAddress): string => {
  const at = email.lastIndexOf("@")
  const ending = email.slice(email.lastIndexOf("."))
  return `${Array.from(email.slice(0, at))[0] ?? ""}***@***${ending}`
}
