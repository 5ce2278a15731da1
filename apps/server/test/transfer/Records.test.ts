import { Credential } from "@community-messaging/domain/access/Credential"
import { User } from "@community-messaging/domain/account/User"
import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { Role } from "@community-messaging/domain/guild/Role"
import { Message } from "@community-messaging/domain/message/Message"
import { Application } from "@community-messaging/domain/oauth2/Application"
import { Consent } from "@community-messaging/domain/oauth2/Consent"
import { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, FastCheck, Schema } from "effect"
import { ApplicationRecord } from "../../src/transfer/ApplicationRecord.ts"
import { ChannelRecord } from "../../src/transfer/ChannelRecord.ts"
import { ConsentRecord } from "../../src/transfer/ConsentRecord.ts"
import { CredentialRecord } from "../../src/transfer/CredentialRecord.ts"
import { GuildRecord } from "../../src/transfer/GuildRecord.ts"
import { MemberRecord } from "../../src/transfer/MemberRecord.ts"
import { MessageRecord } from "../../src/transfer/MessageRecord.ts"
import { RoleRecord } from "../../src/transfer/RoleRecord.ts"
import { ScheduledMessageRecord } from "../../src/transfer/ScheduledMessageRecord.ts"
import { UserRecord } from "../../src/transfer/UserRecord.ts"
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

  holdsEntities("application", ApplicationRecord, Application)
  holdsEntities("channel", ChannelRecord, Channel)
  holdsEntities("consent", ConsentRecord, Consent)
  holdsEntities("credential", CredentialRecord, Credential)
  holdsEntities("guild", GuildRecord, Guild)
  holdsEntities("member", MemberRecord, Membership)
  holdsEntities("message", MessageRecord, Message)
  holdsEntities("role", RoleRecord, Role)
  holdsEntities("scheduled_message", ScheduledMessageRecord, ScheduledMessage)
  holdsEntities("user", UserRecord, User)
  holdsEntities("webhook", WebhookRecord, Webhook.omit("tokenDigest"))
})
