import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { Consent } from "@community-messaging/domain/oauth2/Consent"
import { consentGranted } from "@community-messaging/domain/oauth2/ConsentEvents"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Effect, Schema } from "effect"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a consent. */
const ConsentRecord = RecordSchema.make(Consent, { permissions: "0" })

const same = Schema.equivalence(Consent)

const save = (consent: Consent) =>
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    const consents = yield* ConsentRepository
    const events = yield* EventLog
    const references = yield* References.References
    const { applicationId, guildId, userId } = consent
    yield* References.requireAll([
      references.user("user_id", userId, { live: true }),
      References.whenGiven(guildId, (id) => references.guild("guild_id", id)),
      References.exists("application_id", `application ${applicationId}`, applications.find(applicationId))
    ])
    return yield* RecordKind.outcome(yield* consents.find(userId, applicationId), consent, same, () =>
      Effect.zipRight(
        consents.save(consent),
        events.append(consentGranted(consent))
      ))
  })

/** The record kind of consents. */
export const kind = RecordKind.make({
  kind: "consent",
  schema: ConsentRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(
    ConsentRepository,
    ({ list }) => RecordKind.pages(list, ({ applicationId, userId }) => ({ applicationId, userId }))
  )
})
