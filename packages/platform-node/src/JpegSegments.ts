import { Remainder } from "./Remainder.ts"

/** The length of a marker without a segment, such as SOI at the start of the file. */
const MARKER_LENGTH = 2

/** Where a scan has the number of its components. */
const COMPONENTS_OFFSET = 4

/** SOS, which starts a scan, and EOI, which ends the image. */
const SCAN = 0xda
const END = 0xd9

/** The segments that a decoder needs: frames that browsers decode (baseline, extended, progressive), and their tables. */
const PICTURE = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, SCAN])

/** The maximum number of segments of the picture. Encoders make some 40: tables for each of some ten scans. */
const MAX_SEGMENTS = 1000

/** Returns whether a segment is one of an application, or a comment. */
const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

/** Returns whether a byte after 0xff makes it data, a restart of the data, or a fill byte, but no marker of a segment. */
const isNoMarker = (byte: number): boolean => byte === 0 || (byte >= 0xd0 && byte <= 0xd7) || byte === 0xff

/** Returns where the next marker of a segment starts, or the last byte if there is none. */
const nextMarker = (bytes: Uint8Array, from: number): number => {
  let offset = from
  while (offset + 1 < bytes.length && (bytes[offset] !== 0xff || isNoMarker(bytes[offset + 1] ?? 0))) offset += 1
  return offset
}

/** The picture of a JPEG. */
export interface Picture {
  /** The file without metadata. */
  readonly bytes: Uint8Array
  /**
   * The number of components of all scans together. The decoder passes through the whole component for each, even if the
   * scan has only ten bytes.
   */
  readonly passes: number
}

/**
 * Returns the picture of a JPEG without its metadata, which can be millions of segments that the decoder copies. What is
 * between segments is left out, too: together with what follows a skipped segment, it could be another marker. Returns
 * undefined if the segments do not reach the end of the image or are too many, or if the picture is coded in a way that
 * browsers do not decode. Source: ITU-T T.81, B.1.1 and B.2.
 */
export const picture = (bytes: Uint8Array): Picture | undefined => {
  const remainder = new Remainder(bytes)
  let passes = 0
  let segments = 0
  let offset = MARKER_LENGTH
  for (;;) {
    const start = nextMarker(bytes, offset)
    const marker = bytes[start + 1]
    if (marker === undefined) return undefined
    remainder.skip(offset, start)
    if (marker === END) return { bytes: remainder.until(start + MARKER_LENGTH), passes }
    const end = start + MARKER_LENGTH + 256 * (bytes[start + 2] ?? 0) + (bytes[start + 3] ?? 0)
    if (isMetadata(marker)) remainder.skip(start, end)
    else if (PICTURE.has(marker) && segments < MAX_SEGMENTS) segments += 1
    else return undefined
    if (marker === SCAN) passes += Math.max(1, bytes[start + COMPONENTS_OFFSET] ?? 0)
    // The data of a scan has no length.
    offset = marker === SCAN ? nextMarker(bytes, end) : end
  }
}
