import { SqliteError } from "better-sqlite3"
import type { Connection, Unit } from "./Connection.ts"
import type { AdminKey } from "./Credentials.ts"
import * as Reply from "./Reply.ts"
import { codePoints, isIntegerWithin, isRecordOf, isSnowflake, isString, isTextOfAtMost, optional } from "./Values.ts"

/** The body of a request to schedule a deletion. */
export interface Deletion {
  readonly user_id: string
  readonly reason_code: number
  readonly public_reason?: string
  readonly days_until_deletion?: number
}

/** The body of a request to change an address. */
export interface EmailChange {
  readonly user_id: string
  readonly email: string
}

const isDeletionBody = isRecordOf({
  user_id: isSnowflake,
  reason_code: isIntegerWithin(0, 2_147_483_647),
  public_reason: optional(isTextOfAtMost(512)),
  days_until_deletion: optional(isIntegerWithin(1, 365))
})

/** Whether the value is such a body. */
export const isDeletion = (value: unknown): value is Deletion => isDeletionBody(value)

const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

const isAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const localPart = text.slice(0, Math.max(0, at))
  const labels = text.slice(at + 1).split(".")
  return codePoints(text) <= 254 && codePoints(localPart) <= 64 && LOCAL_PART.test(localPart) && labels.length >= 2 &&
    labels.every((label) => LABEL.test(label))
}

const isEmailBody = isRecordOf({
  user_id: isSnowflake,
  email: (value) => isString(value) && isAddress(value.trim())
})

/** Whether the body is valid. */
export const isEmailChange = (value: unknown): value is EmailChange => isEmailBody(value)

const DEFAULT_DAYS = 60
const DAY_MILLIS = 24 * 60 * 60 * 1000

type Column = string | number | null

/** A row of `users`. The response has the columns that are not named here unchanged. */
interface UserRow {
  readonly [column: string]: Column
  readonly bot: number
  readonly system: number
  readonly email: string | null
  readonly pending_deletion_at: number | null
  readonly deletion_reason_code: number | null
  readonly deletion_public_reason: string | null
}

const moment = (millis: Column | undefined): string | null =>
  typeof millis === "number" ? new Date(millis).toISOString() : null
const flag = (bit: Column | undefined): boolean | null => typeof bit === "number" ? bit === 1 : null
const list = (json: Column | undefined): unknown => typeof json === "string" ? JSON.parse(json) : []

const resultOf = (user: UserRow): Reply.Reply =>
  Reply.json(200, {
    user: {
      ...user,
      bot: flag(user.bot),
      system: flag(user.system),
      email_verified: flag(user["email_verified"]),
      email_bounced: flag(user["email_bounced"]),
      premium_since: moment(user["premium_since"]),
      premium_until: moment(user["premium_until"]),
      temp_banned_until: moment(user["temp_banned_until"]),
      pending_deletion_at: moment(user.pending_deletion_at),
      pending_bulk_message_deletion_at: moment(user["pending_bulk_message_deletion_at"]),
      acls: list(user["acls"]),
      traits: list(user["traits"]),
      has_totp: flag(user["has_totp"]),
      authenticator_types: list(user["authenticator_types"]),
      last_active_at: moment(user["last_active_at"])
    }
  })

const maskEmail = (email: string): string =>
  `${Array.from(email.slice(0, email.lastIndexOf("@")))[0] ?? ""}***@***${email.slice(email.lastIndexOf("."))}`

const deletionOf = (user: UserRow): string =>
  JSON.stringify({
    pending_deletion_at: moment(user.pending_deletion_at),
    deletion_reason_code: user.deletion_reason_code,
    deletion_public_reason: user.deletion_public_reason
  })

const isTaken = (error: unknown): boolean => error instanceof SqliteError && error.code === "SQLITE_CONSTRAINT_UNIQUE"

/** The operations of administrators on accounts. */
export const make = ({ appendEvent, database }: Connection) => {
  const find = database.prepare<[id: string], UserRow>(`
    SELECT CAST(id AS TEXT) AS id, username, discriminator, global_name, bot, system, flags, avatar, banner, bio, pronouns,
      accent_color, email, email_verified, email_bounced, phone, date_of_birth, locale, premium_type, premium_since,
      premium_until, suspicious_activity_flags, temp_banned_until, pending_deletion_at, pending_bulk_message_deletion_at,
      deletion_reason_code, deletion_public_reason, acls, traits, has_totp, authenticator_types, last_active_at,
      last_active_ip, last_active_ip_reverse, last_active_location
    FROM users WHERE id = ? AND deleted_at IS NULL
  `)
  const schedule = database.prepare<[at: number, reason: number, publicReason: string | null, id: string]>(`
    UPDATE users SET pending_deletion_at = ?, deletion_reason_code = ?, deletion_public_reason = ? WHERE id = ?
  `)
  const setEmail = database.prepare<[email: string, key: string, id: string]>(`
    UPDATE users SET email = ?, email_key = ?, email_verified = 0, email_bounced = 0 WHERE id = ?
  `)
  const insertRecord = database.prepare<
    [at: number, actor: string, action: string, target: string, before: string, after: string]
  >("INSERT INTO audit_records (at, actor, action, target_id, before, after) VALUES (?, ?, ?, ?, ?, ?)")

  const actorOf = ({ id, name }: AdminKey): string => JSON.stringify({ _tag: "AdminKey", credentialId: id, name })
  const mayNot = ({ acls }: AdminKey, right: string): boolean => !acls.includes("*") && !acls.includes(right)

  return {
    scheduleDeletion: (key: AdminKey, body: Deletion): Unit => () => {
      if (mayNot(key, "user:delete")) return Reply.MISSING_ACL
      const userId = body.user_id
      const before = find.get(userId)
      if (before === undefined) return Reply.UNKNOWN_USER
      if (before.system === 1) return Reply.CONFLICT
      const now = Date.now()
      const after: UserRow = {
        ...before,
        pending_deletion_at: now + (body.days_until_deletion ?? DEFAULT_DAYS) * DAY_MILLIS,
        deletion_reason_code: body.reason_code,
        deletion_public_reason: body.public_reason ?? null
      }
      schedule.run(after.pending_deletion_at ?? now, body.reason_code, after.deletion_public_reason, userId)
      appendEvent(now, {
        _tag: "user.deletion_scheduled",
        version: 1,
        userId,
        pendingDeletionAt: moment(after.pending_deletion_at),
        reasonCode: body.reason_code,
        ...(body.public_reason !== undefined && { publicReason: body.public_reason })
      })
      insertRecord.run(now, actorOf(key), "user.schedule_deletion", userId, deletionOf(before), deletionOf(after))
      return resultOf(after)
    },

    changeEmail: (key: AdminKey, body: EmailChange): Unit => () => {
      if (mayNot(key, "user:update:email")) return Reply.MISSING_ACL
      const userId = body.user_id
      const email = body.email.trim()
      const before = find.get(userId)
      if (before === undefined) return Reply.UNKNOWN_USER
      if (before.email === email) return resultOf(before)
      try {
        setEmail.run(email, email.toLowerCase().normalize("NFC"), userId)
      } catch (error) {
        if (isTaken(error)) return Reply.INVALID_FORM_BODY
        throw error
      }
      const now = Date.now()
      const flags = ["email_verified", "email_bounced"].filter((name) => before[name] !== 0)
      const changed = ["email", ...flags]
      appendEvent(now, { _tag: "user.updated", version: 1, userId, changed })
      insertRecord.run(
        now,
        actorOf(key),
        "user.change_email",
        userId,
        JSON.stringify({
          email: before.email === null ? null : maskEmail(before.email),
          ...Object.fromEntries(flags.map((name) => [name, flag(before[name])]))
        }),
        JSON.stringify({ email: maskEmail(email), ...Object.fromEntries(flags.map((name) => [name, false])) })
      )
      return resultOf({ ...before, email, email_verified: 0, email_bounced: 0 })
    }
  }
}
