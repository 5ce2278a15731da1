/**
 * Control characters, which a terminal executes; and characters that change the direction of the text after them or are
 * another line break, which make text look like other text.
 */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Control sequences, such as those for colours (ECMA-48, 5.4): ESC and `[`, or CSI. Node's `stripVTControlCharacters` also
 * removes letters after them that a terminal shows.
 */
const CONTROL_SEQUENCE = new RegExp(
  `(?:${String.fromCharCode(0x1b)}\\[|${String.fromCharCode(0x9b)})[0-?]*[ -/]*[@-~]`,
  "g"
)

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** Returns the lines of third-party text, without control sequences and control characters. */
export const lines = (text: string): ReadonlyArray<string> =>
  text.replace(CONTROL_SEQUENCE, "").split(LINE_BREAK).map((line) => line.replaceAll("\t", " ").replace(UNSAFE, ""))

/** The same as one line. */
export const oneLine = (text: string): string => lines(text).join(" ")

/** Characters that take two columns on a terminal. */
const WIDE =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Returns how many columns the text takes on most terminals. */
export const width = (text: string): number =>
  Array.from(graphemes.segment(text), ({ segment }): number => WIDE.test(segment) ? 2 : 1)
    .reduce((sum, columns) => sum + columns, 0)
