import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Effect, type Layer } from "effect"
import { writeFileSync } from "node:fs"
import * as Community from "../http/Community.ts"
import { useCasesOn } from "../http/UseCases.ts"

/** Makes the community in an empty storage, and writes a file with the facts that load generators need. */
export const seed = async <E>(storage: Layer.Layer<StoragePorts, E>, factsFile: string): Promise<Community.Facts> => {
  const facts = await Effect.runPromise(
    Community.make.pipe(Effect.provide(useCasesOn(storage, 2)), Effect.withTracerEnabled(false))
  )
  writeFileSync(factsFile, JSON.stringify(facts))
  return facts
}
