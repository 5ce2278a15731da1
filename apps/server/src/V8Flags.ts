import { setFlagsFromString } from "node:v8"

/**
 * The growth of the heap after which V8 collects all garbage, as a percentage of its size after the last collection. By
 * default, V8 decides by the memory of the machine: on a large one, the heap may grow to four times its size, so that
 * refused requests alone filled hundreds of megabytes with garbage.
 */
const GROWTH_PERCENT = 50

/** Limits the growth of this process's heap. A limit of its size is left to the operator: `--max-old-space-size`. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)

/**
 * Makes V8 allocate all objects in the young generation. That generation is small while the process starts, so objects
 * of requests in progress survive in it, and V8 would then allocate later objects of the same kind in the old
 * generation. There, each would retain the objects of its request until all garbage is collected, which costs a tenth of
 * the processor time of a request that writes.
 */
export const disablePretenuring = (): void => setFlagsFromString("--no-allocation-site-pretenuring")
