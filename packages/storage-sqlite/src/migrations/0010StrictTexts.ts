/** The white space that is trimmed from names. */
const BLANKS = "char(9, 10, 11, 12, 13, 32, 160)"

/** Returns the SQL for a name that the service accepts today; `other` if the cleaned name is empty. */
const cleaned = (other: string): string =>
  `coalesce(nullif(trim(replace(replace(replace(name, char(9), ''), char(10), ''), char(13), ''), ${BLANKS}), ''), '${other}')`

/** Corrects texts that older versions imported without validation. */
export const strictTexts: ReadonlyArray<string> = [
  `UPDATE credentials SET name = ${cleaned("unnamed")} WHERE name IS NOT NULL`,
  `UPDATE webhooks SET name = ${cleaned("Webhook")}`,
  "UPDATE users SET deletion_public_reason = substr(deletion_public_reason, 1, 512) WHERE length(deletion_public_reason) > 512"
]
