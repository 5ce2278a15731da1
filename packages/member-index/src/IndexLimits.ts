/** The size limits of the index. Tests make them small, to cover all cases with few members. */
export interface IndexLimits {
  /** The maximum number of members in a segment: at most 65,536, because ordinals have 16 bits. */
  readonly segmentMembers: number
  /** In a full segment, a leaf of the suffix trie with more entries than this is split by the next byte. */
  readonly leafEntries: number
  /** The number of changed members at which a segment is resealed. */
  readonly changedMembers: number
  /** The number of members in the last segment at which new members start another one. */
  readonly tailMembers: number
  /** The number of entries that are processed between two pauses: takes some tenths of a millisecond. */
  readonly entriesAtOnce: number
  /** The number of first ranks by relevance for which the best hits are kept while they are found. */
  readonly firstRanks: number
  /** Up to this many hits per segment are ranked by relevance one by one. */
  readonly fewHits: number
}

export const INDEX_LIMITS: IndexLimits = {
  segmentMembers: 65_536,
  leafEntries: 96,
  changedMembers: 256,
  tailMembers: 8192,
  entriesAtOnce: 16_384,
  firstRanks: 1000,
  fewHits: 16
}
