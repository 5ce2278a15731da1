import { randomBytes } from "node:crypto"
import type { Connection, Unit } from "./Connection.ts"
import { digestOf, formatToken } from "./Credentials.ts"
import * as Reply from "./Reply.ts"
import { isRecordOf, isSnowflake, isString, isTextOfAtMost, optional } from "./Values.ts"

/** The body of a consent. */
export interface ConsentRequest {
  readonly client_id: string
  readonly scope: string
  readonly response_type?: string
  readonly redirect_uri?: string
  readonly state?: string
}

const isBody = isRecordOf({
  client_id: isSnowflake,
  scope: isString,
  response_type: optional(isString),
  redirect_uri: optional(isString),
  state: optional(isTextOfAtMost(1024)),
  permissions: optional((value) => isString(value) && /^[0-9]{1,78}$/.test(value)),
  guild_id: optional(isSnowflake)
})

/** Whether the value is such a body. */
export const isConsentRequest = (value: unknown): value is ConsentRequest => isBody(value)

const SCOPES = ["identify", "email", "guilds", "connections", "bot"]
const CODE_LIFETIME_MILLIS = 10 * 60 * 1000

const formEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+")

const redirectTo = (uri: string, code: string, state: string | undefined): string => {
  const separator = !uri.includes("?") ? "?" : uri.endsWith("?") || uri.endsWith("&") ? "" : "&"
  return `${uri}${separator}code=${code}${state === undefined ? "" : `&state=${formEncode(state)}`}`
}

const registered = (json: string): ReadonlyArray<string> => {
  const uris: unknown = JSON.parse(json)
  return Array.isArray(uris) ? uris.map(String) : []
}

/** The scopes, each once; `undefined` if one is unknown, or there is none. */
const scopesOf = (text: string): ReadonlyArray<string> | undefined => {
  const requested = text.split(" ").filter((scope) => scope !== "")
  return requested.length > 0 && requested.every((scope) => SCOPES.includes(scope))
    ? SCOPES.filter((scope) => requested.includes(scope))
    : undefined
}

/** The requested redirect URI if it is registered; without a request, the only registered one. */
const redirectUriOf = (uris: ReadonlyArray<string>, requested: string | undefined): string | undefined =>
  requested === undefined ? uris.length === 1 ? uris[0] : undefined : uris.find((uri) => uri === requested)

/** Grants applications access on behalf of users. */
export const make = ({ appendEvent, database }: Connection) => {
  const findApplication = database.prepare<[id: string], { readonly redirectUris: string }>(
    "SELECT redirect_uris AS redirectUris FROM applications WHERE id = ?"
  )
  const saveConsent = database.prepare<[user: string, application: string, scopes: string, at: number]>(`
    INSERT INTO consents (user_id, application_id, scopes, permissions, guild_id, granted_at)
    VALUES (?, ?, ?, '0', NULL, ?)
    ON CONFLICT (user_id, application_id) DO UPDATE SET scopes = excluded.scopes, permissions = excluded.permissions,
      guild_id = excluded.guild_id, granted_at = excluded.granted_at
  `)
  const insertCode = database.prepare<
    [digest: string, application: string, user: string, uri: string | null, scopes: string, expires: number]
  >(`
    INSERT INTO authorization_codes (digest, application_id, user_id, redirect_uri, scopes, expires_at)
    VALUES (?, ?, ?, ?, ?, ?)
  `)

  return {
    grant: (userId: string, request: ConsentRequest): Unit => () => {
      const applicationId = request.client_id
      const application = findApplication.get(applicationId)
      if (application === undefined) return Reply.INVALID_CLIENT
      if (request.response_type !== undefined && request.response_type !== "code") {
        return Reply.UNSUPPORTED_RESPONSE_TYPE
      }
      const scopes = scopesOf(request.scope)
      if (scopes === undefined) return Reply.INVALID_SCOPE
      if (scopes.includes("bot")) return Reply.NOT_IMPLEMENTED
      const uri = redirectUriOf(registered(application.redirectUris), request.redirect_uri)
      if (uri === undefined) return Reply.INVALID_REDIRECT_URI
      const now = Date.now()
      const code = formatToken("cmc_", randomBytes(32))
      const scopesJson = JSON.stringify(scopes)
      saveConsent.run(userId, applicationId, scopesJson, now)
      insertCode.run(
        digestOf(code),
        applicationId,
        userId,
        request.redirect_uri ?? null,
        scopesJson,
        now + CODE_LIFETIME_MILLIS
      )
      appendEvent(now, { _tag: "consent.granted", version: 1, userId, applicationId, scopes })
      return Reply.json(200, { redirect_to: redirectTo(uri, code, request.state) })
    }
  }
}
