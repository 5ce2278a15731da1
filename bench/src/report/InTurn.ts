/** Does the work for one item after the other, so that each has the machine to itself. */
export const inTurn = <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A, index: number) => Promise<B>
): Promise<ReadonlyArray<B>> =>
  items.reduce<Promise<ReadonlyArray<B>>>(
    async (before, item, index) => [...await before, await work(item, index)],
    Promise.resolve([])
  )
