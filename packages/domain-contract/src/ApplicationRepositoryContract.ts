import { Application, ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { arbitrary, RUNS } from "./Arbitraries.ts"
import * as FreshIds from "./FreshIds.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"

const plain = plainData(Application)

/** What `ApplicationRepository` promises. */
export const applicationRepositoryContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("ApplicationRepository", () => {
    it.layer(storage)((it) => {
      it.effect.prop(
        "an application is found with every field, as it was saved last",
        { before: arbitrary(Application), after: arbitrary(Application) },
        ({ after, before }) =>
          Effect.gen(function*() {
            const applications = yield* ApplicationRepository
            yield* applications.save(before)
            expect(Option.map(yield* applications.find(before.id), plain)).toEqual(Option.some(plain(before)))
            const changed = { ...after, id: before.id }
            yield* applications.save(changed)
            expect(Option.map(yield* applications.find(before.id), plain)).toEqual(Option.some(plain(changed)))
          }),
        RUNS
      )
    })

    it.effect("an application that was never saved is not found", () =>
      Effect.gen(function*() {
        const applications = yield* ApplicationRepository
        yield* applications.save(Samples.application())
        expect(yield* applications.find(ApplicationId.make(FreshIds.snowflake()))).toEqual(Option.none())
      }).pipe(Effect.provide(storage)))

    it.effect("applications are listed in the order of their ids by number, page by page", () =>
      Effect.gen(function*() {
        const applications = yield* ApplicationRepository
        yield* Effect.forEach(SHUFFLED, (id) => applications.save(Samples.application({ id: ApplicationId.make(id) })))
        expect(
          yield* pages({
            page: (after, limit) => applications.list({ after, limit }),
            key: ({ id }: Application) => id,
            limit: 3
          })
        ).toEqual(ORDERED_PAGES)
      }).pipe(Effect.provide(storage)))
  })
