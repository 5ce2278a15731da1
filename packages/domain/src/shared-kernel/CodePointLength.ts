import { Schema } from "effect"

/** Identifies refinements that limit the length of a string in Unicode code points. */
export const CodePointLengthSchemaId: unique symbol = Symbol.for(
  "@community-messaging/domain/CodePointLength"
)

/** Returns the length of a text in Unicode code points, as JSON Schema counts it. */
export const codePointLength = (text: string): number => {
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    length += 1
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) index += 1
    }
  }
  return length
}

/** Returns the first `count` code points of the text. */
export const firstCodePoints = (text: string, count: number): string =>
  // A code point has at most two UTF-16 units, so only the beginning of a long text is split.
  Array.from(text.slice(0, count * 2)).slice(0, count).join("")

/** Truncates the text to at most `maximum` (1 or more) code points. A truncated text ends with an ellipsis. */
export const truncate = (text: string, maximum: number): string =>
  text.length <= maximum || codePointLength(text) <= maximum
    ? text
    : `${firstCodePoints(text, maximum - 1).trimEnd()}…`

const describe = (minimum: number, maximum: number): string =>
  minimum === 0 ? `must be at most ${maximum} characters long` : `must be ${minimum} to ${maximum} characters long`

/** A string of `minimum` to `maximum` Unicode code points. */
export const codePointsBetween =
  (minimum: number, maximum: number) => <A extends string, I, R>(self: Schema.Schema<A, I, R>) =>
    self.pipe(
      Schema.filter((text) => {
        // A text has at most as many code points as UTF-16 units, and at least half as many.
        if (text.length < minimum || text.length > maximum * 2) return false
        const length = codePointLength(text)
        return length >= minimum && length <= maximum
      }, {
        schemaId: CodePointLengthSchemaId,
        jsonSchema: minimum === 0 ? { maxLength: maximum } : { minLength: minimum, maxLength: maximum },
        message: () => describe(minimum, maximum)
      })
    )

/** A string of at most `maximum` Unicode code points. */
export const maxCodePoints = (maximum: number) => codePointsBetween(0, maximum)
