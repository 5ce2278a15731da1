import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { Discriminator, type User } from "@community-messaging/domain/account/User"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import {
  ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { Effect, Option } from "effect"
import * as Samples from "../Samples.ts"
import * as Saved from "../Saved.ts"
import { inUtc, join, keep, scene, startPlus } from "./Scene.ts"
import { START } from "./World.ts"

const text = (value: string) => Option.some(value)

/** All personal data of an account. */
const PERSONAL: Partial<User> = {
  username: "ada",
  discriminator: Discriminator.make(1815),
  globalName: text("Ada Lovelace"),
  avatar: text("0123456789abcdef0123456789abcdef"),
  banner: text("fedcba9876543210fedcba9876543210"),
  bio: text("Poetical science"),
  pronouns: text("she/her"),
  accentColor: Option.some(0x336699),
  emailVerified: Option.some(true),
  emailBounced: Option.some(false),
  phone: text("+441815"),
  dateOfBirth: text("1815-12-10"),
  locale: text("en-GB"),
  premiumType: Option.some(2),
  premiumSince: Option.some(startPlus("-30 days")),
  premiumUntil: Option.some(startPlus("30 days")),
  tempBannedUntil: Option.some(startPlus("-10 days")),
  pendingBulkMessageDeletionAt: Option.some(startPlus("10 days")),
  acls: ["beta"],
  traits: ["early"],
  hasTotp: true,
  authenticatorTypes: [0, 1],
  lastActiveAt: Option.some(START),
  lastActiveIp: text("192.0.2.1"),
  lastActiveIpReverse: text("host.example.org"),
  lastActiveLocation: text("London")
}

/** The fields that an account keeps after its deletion. */
const KEPT: Partial<User> = { flags: 0b1010n, suspiciousActivityFlags: 5 }

/** An account with every kind of data, which is in its own guild and in another one. */
export const fullAccount = ({ bot, email = "Ada@example.org" }: { readonly bot: boolean; readonly email?: string }) =>
  Effect.gen(function*() {
    const at = yield* scene({ ...PERSONAL, ...KEPT, email: Option.some(EmailAddress.make(email)), bot })
    const user = at.author
    const own = yield* Saved.guild({ ownerId: user.id })
    yield* join(own.id, user.id)

    const token = Samples.botToken({ userId: user.id })
    yield* (yield* CredentialRepository).insert(token)

    const consents = yield* ConsentRepository
    const code = Samples.code({ userId: user.id, expiresAt: startPlus("100 days") })
    const grant = Samples.grant({ userId: user.id })
    const consent = Samples.consent({ userId: user.id })
    yield* consents.save(consent)
    yield* consents.insertCode(code)
    yield* consents.insertGrant(grant)

    const messages = yield* Effect.forEach(ScheduledMessageStatus.literals, (status) =>
      keep(at, {
        status,
        scheduledAt: startPlus("200 days"),
        ...inUtc(startPlus("200 days")),
        endedAt: UNDELIVERED.includes(status) ? Option.none() : Option.some(START)
      }))
    return { ...at, user, own, token, code, grant, consent, messages }
  })
