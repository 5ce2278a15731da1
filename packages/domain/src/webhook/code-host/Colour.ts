/** The colours of code-host messages by state, as 24-bit RGB. */
export const COLOUR = {
  /** Open, created, answered, approved, passed. */
  good: 0x2da44e,
  /** Closed without merging, deleted, failed. */
  bad: 0xcf222e,
  /** Merged, completed. */
  done: 0x8250df,
  /** Needs attention: changes requested, action required, history rewritten. */
  attention: 0xd4a72c,
  /** Draft, not planned, cancelled, stale. */
  inactive: 0x6e7781,
  /** Commits pushed. */
  pushed: 0x0969da,
  /** New comments. */
  comment: 0x54aeff,
  /** Published: releases, repositories made public. */
  published: 0xbf3989,
  /** Community activity: stars, forks, new members. */
  community: 0xe3b341
} as const
