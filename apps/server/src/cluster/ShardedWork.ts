import { WorkPlacement } from "@community-messaging/domain/background-work/WorkPlacement"
import * as Sharding from "@effect/cluster/Sharding"
import { Effect, Layer } from "effect"

/**
 * Each step of the background work runs on one server of the cluster, the one that has its shard, so that a hundred servers
 * do not query the same due work. Claims still protect the work while a step moves from one server to another.
 */
export const layer: Layer.Layer<WorkPlacement, never, Sharding.Sharding> = Layer.effect(
  WorkPlacement,
  Effect.map(
    Sharding.Sharding,
    ({ registerSingleton }) => (step, work) => registerSingleton(`background-work/${step}`, work)
  )
)
