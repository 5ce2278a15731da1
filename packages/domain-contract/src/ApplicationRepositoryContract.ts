import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import * as Samples from "./Samples.ts"

/** The contract of `ApplicationRepository`. */
export const applicationRepositoryContract = portContract<ApplicationRepository>("ApplicationRepository", ({ it }) => {
  it("applications are listed in the order of their ids by number, page by page", function*() {
    const applications = yield* ApplicationRepository
    yield* Effect.forEach(SHUFFLED, (id) => applications.save(Samples.application({ id: ApplicationId.make(id) })))
    expect(yield* pages({ page: applications.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
  })
})
