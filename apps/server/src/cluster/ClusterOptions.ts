import type { Option, Redacted } from "effect"

/** How this server takes part in the cluster. */
export interface ClusterOptions {
  /** The address at which other servers reach this one. */
  readonly host: string
  /** The address to listen on, if it is another. */
  readonly listenHost: Option.Option<string>
  /** 0 is any free port. */
  readonly port: number
  /** What all servers of the cluster know, and nobody else. */
  readonly secret: Redacted.Redacted
}
