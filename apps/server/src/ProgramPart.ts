import { Data, Effect } from "effect"

/** A part of the program cannot be loaded: a defect of its installation. */
export class PartNotLoaded extends Data.Error<{ readonly cause: unknown }> {}

/** Loads a part that only some configurations need, so that the others start faster. */
export const load = <Part>(imported: () => Promise<Part>): Effect.Effect<Part> =>
  Effect.orDie(Effect.tryPromise({ try: imported, catch: (cause) => new PartNotLoaded({ cause }) }))
