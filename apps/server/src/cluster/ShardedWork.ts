import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { Sharding } from "@effect/cluster"
import { Effect, Layer } from "effect"

/**
 * The background work of a cluster: each step runs on one server, the one that has its shard, so that a hundred servers do
 * not ask for the same due work. Claims still guard it while a step moves from one server to another.
 */
export const layer = Layer.unwrapEffect(
  Effect.map(
    Sharding.Sharding,
    ({ registerSingleton }) =>
      BackgroundWork.layerPlaced((step, work) => registerSingleton(`background-work/${step}`, work))
  )
)
