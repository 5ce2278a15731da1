import { Credential } from "@community-messaging/domain/access/Credential"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { Message } from "@community-messaging/domain/message/Message"
import { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, FastCheck, Schema } from "effect"
import { CredentialRecord } from "../../src/transfer/CredentialRecord.ts"
import { MemberRecord } from "../../src/transfer/MemberRecord.ts"
import { MessageRecord } from "../../src/transfer/MessageRecord.ts"
import { ScheduledMessageRecord } from "../../src/transfer/ScheduledMessageRecord.ts"
import { WebhookRecord } from "../../src/transfer/WebhookRecord.ts"

describe("the fields of a line", () => {
  const holdsEntities = <A, I, B, J>(kind: string, record: Schema.Schema<A, I>, entity: Schema.Schema<B, J>) => {
    const isEntity = Schema.is(entity)
    it(`match the domain's own schema: ${kind}`, () => {
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(Schema.typeSchema(record)), (value) => {
          expect([value, isEntity(value)]).toEqual([value, true])
        }),
        { numRuns: 200 }
      )
    })
  }

  holdsEntities("credential", CredentialRecord, Credential)
  holdsEntities("member", MemberRecord, Membership)
  holdsEntities("message", MessageRecord, Message)
  holdsEntities("scheduled_message", ScheduledMessageRecord, ScheduledMessage)
  holdsEntities("webhook", WebhookRecord, Webhook.omit("tokenDigest"))
})
