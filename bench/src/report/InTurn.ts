/** Does the work for one item after the other, never for two at a time: whatever is measured has the machine for itself. */
export const inTurn = <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A, index: number) => Promise<B>
): Promise<ReadonlyArray<B>> =>
  items.reduce<Promise<ReadonlyArray<B>>>(
    async (before, item, index) => [...await before, await work(item, index)],
    Promise.resolve([])
  )
