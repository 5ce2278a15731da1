import { Metric, MetricLabel } from "effect"
import { RateLimited, ServiceUnavailable } from "../../wire/ApiError.ts"
import * as Reply from "../replies/Reply.ts"

/** The maximum numbers of open connections. */
export interface ConnectionLimits {
  /** Of all clients together. */
  readonly maxConnections: number
  /** Of one IPv4 address or one /64 network of IPv6. */
  readonly maxConnectionsPerAddress: number
}

/** The default limits. One address gets at most a quarter of all connections. */
export const DEFAULT_LIMITS: ConnectionLimits = { maxConnections: 4096, maxConnectionsPerAddress: 1024 }

/** The maximum number of refused connections that get a response. Further ones are closed without a response. */
export const MAX_REFUSED = 256

const tooMany = Reply.ofError(new ServiceUnavailable(), Reply.CLOSE)

const tooManyOfAddress = Reply.ofError(
  new RateLimited({ message: "Too many connections: close some first.", retry_after: Reply.RETRY_AFTER }),
  Reply.CLOSE
)

const openConnections = Metric.counter("community_messaging_open_connections", {
  description: "Open connections, without refused ones."
})

const connectionsRefused = Metric.counter("community_messaging_connections_refused_total", {
  description: "Connections that were refused, by the limit: of all connections or of one address.",
  incremental: true
})

const OF_ALL = [MetricLabel.make("limit", "all")]
const OF_ADDRESS = [MetricLabel.make("limit", "address")]

/** A connection that is counted until `close`. A refused one gets the reply to its first request. */
export interface Counted {
  readonly refusal: Reply.Reply | undefined
  readonly close: () => void
}

/** Counts open connections, and decides which are too many. */
export class ConnectionLimiter {
  readonly #limits: ConnectionLimits
  readonly #byAddress = new Map<string, number>()
  #accepted = 0
  #refused = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    // So that rates are right from the first connection on.
    openConnections.unsafeUpdate(0, [])
    for (const labels of [OF_ALL, OF_ADDRESS]) connectionsRefused.unsafeUpdate(0, labels)
  }

  /** Decides about a new connection. Undefined if it gets no response. */
  open(address: string): Counted | undefined {
    const refusal = this.#accepted >= this.#limits.maxConnections
      ? tooMany
      : (this.#byAddress.get(address) ?? 0) >= this.#limits.maxConnectionsPerAddress
      ? tooManyOfAddress
      : undefined
    if (refusal === undefined) {
      this.#accept(address, 1)
      return { refusal, close: () => this.#accept(address, -1) }
    }
    connectionsRefused.unsafeUpdate(1, refusal === tooMany ? OF_ALL : OF_ADDRESS)
    if (this.#refused >= MAX_REFUSED) return undefined
    this.#refused += 1
    return {
      refusal,
      close: () => {
        this.#refused -= 1
      }
    }
  }

  #accept(address: string, difference: 1 | -1): void {
    openConnections.unsafeUpdate(difference, [])
    this.#accepted += difference
    const ofAddress = (this.#byAddress.get(address) ?? 0) + difference
    if (ofAddress > 0) this.#byAddress.set(address, ofAddress)
    else this.#byAddress.delete(address)
  }
}
