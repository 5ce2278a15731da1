/** Options of every property: the same examples on each run, so that a failure can be looked at again. */
export const seeded = { fastCheck: { seed: 20_150_101 } } as const
