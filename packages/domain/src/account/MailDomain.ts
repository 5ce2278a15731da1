import { Either, Option } from "effect"

/** The URL class of the WHATWG. Every JavaScript runtime has it, but the types of ECMAScript do not. */
declare const URL: new(url: string) => { readonly hostname: string }

/** The maximum length of a domain name in ASCII (RFC 1035, 2.3.4), without the root's dot. */
const MAX_ASCII_LENGTH = 253

/** A full stop, and the characters that UTS 46 maps to a full stop. */
export const DOT = /[.\u3002\uff0e\uff61]/u

// Letters, digits and hyphens of any script, and the dots that UTS 46 maps to a full stop. The URL parser must not get any
// other character, because a slash, a colon, a percent sign and a line break have a meaning in a URL.
const PERMITTED = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u

/** A label of RFC 1123. */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

// Most domain names. The URL parser only makes them lower-case: no label is Punycode, and the last one is no number.
const PLAIN = /^(?!(?:.*\.)?xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** A last label that the URL parser reads as part of an IPv4 address, also in `1.2` and `0x7f.1`. */
const NUMERIC_LABEL = /^([0-9]+|0x[0-9a-f]*)$/

/**
 * A last label with a letter outside ASCII, and its ASCII form. With this label, every URL parser checks all labels. Newer
 * parsers do not check a domain that is all ASCII, even if a label is not valid Punycode.
 */
const SUFFIX = ".\u00e9"
const ASCII_SUFFIX = ".xn--9ca"

/**
 * Returns the domain name in lower-case ASCII, as UTS 46 maps it: all forms of a name that DNS treats as equal have the same
 * result. None if the domain name is not valid, or has a single label.
 */
export const toAscii = (domain: string): Option.Option<string> => {
  if (domain.length <= MAX_ASCII_LENGTH && PLAIN.test(domain)) return Option.some(domain.toLowerCase())
  if (!PERMITTED.test(domain)) return Option.none()
  return Either.try(() => new URL(`http://${domain}${SUFFIX}`).hostname.slice(0, -ASCII_SUFFIX.length)).pipe(
    Option.getRight,
    Option.filter((ascii) => {
      const labels = ascii.split(".")
      return ascii.length <= MAX_ASCII_LENGTH &&
        labels.length >= 2 &&
        labels.every((label) => LABEL.test(label)) &&
        !NUMERIC_LABEL.test(labels.at(-1) ?? "")
    })
  )
}
