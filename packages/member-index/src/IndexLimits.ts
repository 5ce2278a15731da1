/** The sizes that the index works with. Tests make them small, so that few members meet every case. */
export interface IndexLimits {
  /** The most members of a segment. An ordinal in a segment is a 16-bit number, so at most 65,536. */
  readonly segmentMembers: number
  /** In a full segment, a leaf of the suffix trie with more entries than this is split by the next byte. */
  readonly leafEntries: number
  /** The changed members of a segment from which on it is sealed anew. */
  readonly changedMembers: number
  /** A last segment of this many members is full enough for those who join to start another. */
  readonly tailMembers: number
  /** How many entries are worked on between two pauses: some tenths of a millisecond. */
  readonly entriesAtOnce: number
  /** Up to so deep in the order of relevance, the best hits are kept one by one while they are found. */
  readonly firstRanks: number
}

export const INDEX_LIMITS: IndexLimits = {
  segmentMembers: 65_536,
  leafEntries: 128,
  changedMembers: 256,
  tailMembers: 8192,
  entriesAtOnce: 16_384,
  firstRanks: 1000
}
