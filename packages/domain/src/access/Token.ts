import { Encoding, Redacted, Schema } from "effect"

/** The prefix of each kind of token. People and secret scanners recognize the kind by it. */
export const PREFIX = {
  bot: "cmb_",
  admin: "cma_",
  webhook: "cmw_",
  authorizationCode: "cmc_",
  accessToken: "cmt_"
} as const

/** The kinds of token. */
export type TokenKind = keyof typeof PREFIX

/** The SHA-256 of a token in hexadecimal digits. Storage contains only this digest, never the token. */
export const TokenDigest = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f]{64}$/, {
    // Without the value, which may be a token in the place of its digest.
    message: () => ({ message: "must be the SHA-256 of a token: 64 hexadecimal digits in lower case", override: true })
  }),
  Schema.brand("TokenDigest")
)
export type TokenDigest = typeof TokenDigest.Type

const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** The CRC-32 of each byte. A lookup here replaces eight steps. */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** CRC-32 (ISO 3309) of the text, base64url: detects a typo without a query. */
const checksum = (text: string): string => {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index)
    crc = (crc >>> 8) ^ (CRC_OF_BYTE[crc & 0xff] ?? 0)
  }
  const value = ~crc >>> 0
  return Encoding.encodeBase64Url(
    Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff)
  )
}

/** Returns a token: prefix, the 32 random bytes in base64url, checksum. */
export const format = (kind: TokenKind, entropy: Uint8Array): Redacted.Redacted => {
  const body = `${PREFIX[kind]}${Encoding.encodeBase64Url(entropy)}`
  return Redacted.make(body + checksum(body))
}

/** Returns whether the text has the format of this kind of token and a correct checksum. */
export const isWellFormed = (kind: TokenKind, text: string): boolean => {
  const prefix = PREFIX[kind]
  const bodyLength = prefix.length + SECRET_LENGTH
  return text.length === bodyLength + CHECKSUM_LENGTH &&
    text.startsWith(prefix) &&
    checksum(text.slice(0, bodyLength)) === text.slice(bodyLength)
}

/** Compares two digests in constant time. */
export const digestsEqual = (self: TokenDigest, that: TokenDigest): boolean => {
  let difference = self.length ^ that.length
  for (let index = 0; index < self.length; index += 1) {
    difference |= self.charCodeAt(index) ^ that.charCodeAt(index)
  }
  return difference === 0
}
