import { Metric, MetricLabel } from "effect"
import { RateLimited, ServiceUnavailable } from "../../wire/ApiError.ts"
import { type ApiError, RETRY_AFTER } from "../replies/Reply.ts"

/** The maximum memory of the bodies that are in progress, in bytes. */
export interface Limits {
  readonly total: number
  readonly perPrincipal: number
}

/** The default limits: four avatars of the largest size in all, and two per principal (API gaps, Errors). */
export const DEFAULT_LIMITS: Limits = { total: 64 * 1024 * 1024, perPrincipal: 28 * 1024 * 1024 }

/** The size up to which a body is not counted: almost all are smaller. */
export const UNCOUNTED = 64 * 1024

const bodyMemory = Metric.counter("community_messaging_body_memory_bytes", {
  description: "Memory of the request bodies in progress. Bodies of at most 64 KiB are not counted."
})

const bodiesRefused = Metric.counter("community_messaging_bodies_refused_total", {
  description: "Request bodies that were refused for lack of memory, by the limit: of all bodies or of one caller.",
  incremental: true
})

const OF_ALL = [MetricLabel.make("limit", "all")]
const OF_CALLER = [MetricLabel.make("limit", "caller")]

/** The memory of one body. */
export interface Lease {
  /** The sender of the body. */
  readonly principal: string
  /** Takes memory for that many bytes in all. Returns an error if there is not enough. */
  readonly growTo: (bytes: number) => ApiError | undefined
  /** Whether the body is large enough to be counted. */
  readonly isCounted: () => boolean
  /** Whether the body is counted, and all counted bodies together use more than half of the memory. */
  readonly isMemoryShort: () => boolean
  /** Releases the memory. */
  readonly release: () => void
}

/** Counts the memory of bodies from their first bytes to the reply, for the server and for each principal. */
export class BodyMemory {
  readonly #limits: Limits
  readonly #ofPrincipal = new Map<string, number>()
  #total = 0

  constructor(limits: Limits) {
    this.#limits = limits
    // So that rates are right from the first body on.
    bodyMemory.unsafeUpdate(0, [])
    for (const labels of [OF_ALL, OF_CALLER]) bodiesRefused.unsafeUpdate(0, labels)
  }

  /** The counted bytes of all bodies. */
  get total(): number {
    return this.#total
  }

  lease(principal: string): Lease {
    let taken = 0
    return {
      principal,
      growTo: (bytes) => {
        const more = bytes <= UNCOUNTED ? 0 : bytes - taken
        if (more <= 0) return undefined
        if ((this.#ofPrincipal.get(principal) ?? 0) + more > this.#limits.perPrincipal) {
          bodiesRefused.unsafeUpdate(1, OF_CALLER)
          return new RateLimited({ retry_after: RETRY_AFTER })
        }
        if (this.#total + more > this.#limits.total) {
          bodiesRefused.unsafeUpdate(1, OF_ALL)
          return new ServiceUnavailable()
        }
        this.#add(principal, more)
        taken = bytes
        return undefined
      },
      isCounted: () => taken > 0,
      isMemoryShort: () => taken > 0 && this.#total > this.#limits.total / 2,
      release: () => {
        if (taken > 0) this.#add(principal, -taken)
        taken = 0
      }
    }
  }

  #add(principal: string, bytes: number): void {
    this.#total += bytes
    bodyMemory.unsafeUpdate(bytes, [])
    const ofPrincipal = (this.#ofPrincipal.get(principal) ?? 0) + bytes
    if (ofPrincipal === 0) this.#ofPrincipal.delete(principal)
    else this.#ofPrincipal.set(principal, ofPrincipal)
  }
}
