/** The white space that is taken from the ends of names. */
const BLANKS = "char(9, 10, 11, 12, 13, 32, 160)"

/** A name as the service takes one today; where nothing is left of it, another. */
const cleaned = (other: string): string =>
  `coalesce(nullif(trim(replace(replace(replace(name, char(9), ''), char(10), ''), char(13), ''), ${BLANKS}), ''), '${other}')`

/** Texts that an import took in before it was held to the rules that every other way in keeps. */
export const strictTexts: ReadonlyArray<string> = [
  `UPDATE credentials SET name = ${cleaned("unnamed")} WHERE name IS NOT NULL`,
  `UPDATE webhooks SET name = ${cleaned("Webhook")}`,
  "UPDATE users SET deletion_public_reason = substr(deletion_public_reason, 1, 512) WHERE length(deletion_public_reason) > 512"
]
