import { Data } from "effect"

/** The server cannot listen for other servers on CLUSTER_HOST and CLUSTER_PORT. */
export class ClusterNotServed extends Data.TaggedError("ClusterNotServed")<{ readonly cause: unknown }> {}
