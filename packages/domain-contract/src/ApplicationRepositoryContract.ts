import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import * as Samples from "./Samples.ts"

/** The contract of `ApplicationRepository`. */
export const applicationRepositoryContract = portContract<ApplicationRepository>("ApplicationRepository", (storage) => {
  it.effect("applications are listed in the order of their ids by number, page by page", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      yield* Effect.forEach(SHUFFLED, (id) => applications.save(Samples.application({ id: ApplicationId.make(id) })))
      expect(yield* pages({ page: applications.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
    }).pipe(Effect.provide(storage)))
})
