/**
 * Returns the number of a code of four ASCII characters, as a file stores it in big-endian order. Chunks, boxes and brands
 * of image files have such codes; a file has up to a million of them, and a string for each would take seconds.
 */
export const of = (code: string): number =>
  [...code].reduce((value, character) => value * 256 + character.charCodeAt(0), 0)
