import { Application, violations } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { Effect, Schema } from "effect"
import { ofViolations } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of an OAuth2 client. */
const ApplicationRecord = RecordSchema.make(Application, { redirectUris: [] })

const same = Schema.equivalence(Application)

const save = (application: Application) =>
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    const references = yield* References.References
    yield* References.requireAll([
      Effect.succeed(ofViolations(violations(application))),
      References.whenGiven(application.botUserId, (id) => references.user("bot_user_id", id, { bot: true }))
    ])
    const existing = yield* applications.find(application.id)
    return yield* RecordKind.outcome(existing, application, same, () => applications.save(application))
  })

/** The record kind of OAuth2 clients. */
export const kind = RecordKind.make({
  kind: "application",
  schema: ApplicationRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(ApplicationRepository, ({ list }) => RecordKind.pages(list, ({ id }) => id))
})
