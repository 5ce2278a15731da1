import type { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { Consent } from "@community-messaging/domain/oauth2/Consent"
import { consentGranted } from "@community-messaging/domain/oauth2/ConsentEvents"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Effect, Option, Schema, Stream } from "effect"
import { failOnProblems } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a consent. */
const ConsentRecord = RecordSchema.make(Consent, { permissions: "0" })

const same = Schema.equivalence(Consent)

const applicationExists = (id: ApplicationId) =>
  Effect.map(
    Effect.flatMap(ApplicationRepository, (applications) => applications.find(id)),
    (found) => Option.isSome(found) ? [] : [{ path: "application_id", reason: `there is no application ${id}` }]
  )

const keep = (consent: Consent) =>
  Effect.gen(function*() {
    const consents = yield* ConsentRepository
    const events = yield* EventLog
    const references = yield* References.References
    const missing = yield* References.all([
      references.user("user_id", consent.userId, { live: true }),
      References.whenGiven(consent.guildId, (id) => references.guild("guild_id", id))
    ])
    yield* failOnProblems([...missing, ...(yield* applicationExists(consent.applicationId))])
    return yield* RecordKind.outcome(yield* consents.find(consent.userId, consent.applicationId), consent, same, () =>
      Effect.zipRight(
        consents.save(consent),
        events.append(consentGranted(consent))
      ))
  })

/** The record kind of consents. */
export const kind = RecordKind.make({
  kind: "consent",
  schema: ConsentRecord,
  keepAll: RecordKind.oneByOne(keep),
  all: Stream.unwrap(
    Effect.map(
      ConsentRepository,
      ({ list }) => RecordKind.pages(list, ({ applicationId, userId }) => ({ applicationId, userId }))
    )
  )
})
