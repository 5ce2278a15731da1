import type { Option, Redacted } from "effect"

/** The options of this server in the cluster. */
export interface ClusterOptions {
  /** The address at which other servers reach this one. */
  readonly host: string
  /** The address to listen on, if it differs from `host`. */
  readonly listenHost: Option.Option<string>
  /** 0 for any free port. */
  readonly port: number
  /** The shared secret of all servers of the cluster. */
  readonly secret: Redacted.Redacted
}
