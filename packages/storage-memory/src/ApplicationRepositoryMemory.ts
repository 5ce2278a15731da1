import { Application } from "@community-messaging/domain/oauth2/Application"
import type { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

const validApplication = requireValid(Application)

/** `ApplicationRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof ApplicationRepository.Service => ({
  find: (id) => state.read(({ applications }) => Table.get(applications, id)),
  save: validApplication("save an application", (application) =>
    state.write((tables) => {
      tables.applications = Table.set(tables.applications, application.id, application)
    })),
  list: ({ after, limit }) => state.read(({ applications }) => Table.after(applications, after, limit))
})
