import { Application } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { Effect, Layer } from "effect"
import { requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** `ApplicationRepository` in memory. */
export const layer: Layer.Layer<ApplicationRepository, never, MemoryState> = Layer.effect(
  ApplicationRepository,
  Effect.map(MemoryState, (state) => ({
    find: (id) => state.read(({ applications }) => Table.get(applications, id)),
    save: requireValid("save an application", Application, (application) =>
      state.write((tables) => {
        tables.applications = Table.set(tables.applications, application.id, application)
      })),
    list: ({ after, limit }) => state.read(({ applications }) => Table.after(applications, after, limit))
  }))
)
