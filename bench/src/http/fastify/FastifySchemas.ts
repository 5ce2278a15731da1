import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { isSnowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { cleanName } from "@community-messaging/domain/webhook/Webhook"
import { document } from "@community-messaging/http-adapter/OpenApiDocument"
import { AvatarDataUri } from "@community-messaging/http-adapter/webhooks/AvatarDataUri"
import { Predicate, Schema } from "effect"

/*
 * JSON schemas of parameters, bodies and responses: Fastify compiles a validator or a serialiser for each. They are those of
 * the OpenAPI document, in the form that is fastest in Fastify.
 */

const { components } = document("http://127.0.0.1")

const BOUNDS = new Map<unknown, object>([
  ["int32", { minimum: -2_147_483_648, maximum: 2_147_483_647 }],
  ["int64", { minimum: -(2 ** 63), maximum: 2 ** 63 }]
])

/**
 * The schema with its references resolved, `nullable` if one of two alternatives is null, and bounds for the formats of
 * integers, which Fastify does not check.
 */
const plain = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!Predicate.isRecord(schema)) return schema
  const { $ref, anyOf, format, items, properties, type } = schema
  // The type of these fields is documented, but not checked.
  if (Array.isArray(type)) {
    const names: ReadonlyArray<unknown> = type
    return {
      orNull: names[0],
      ...(Predicate.isRecord(items) && { items: { orNull: items["type"] } }),
      ...(properties !== undefined && { properties: plain(properties) })
    }
  }
  if (typeof $ref === "string") return component($ref.slice($ref.lastIndexOf("/") + 1))
  if (Array.isArray(anyOf) && anyOf.length === 2 && Predicate.isRecord(anyOf[1]) && anyOf[1]["type"] === "null") {
    const value = plain(anyOf[0])
    if (Predicate.isRecord(value) && "type" in value) return { ...value, nullable: true }
  }
  const keywords = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, plain(value)]))
  return { ...BOUNDS.get(format), ...keywords }
}

const component = (name: string): unknown =>
  plain(Object.entries(components.schemas).find(([key]) => key === name)?.[1])

const isAddress = Schema.is(EmailAddress)
const isAvatar = Schema.is(AvatarDataUri)

/** The rules of single values that JSON Schema cannot express. */
export const formats = {
  "snowflake": isSnowflake,
  "service-email": (text: string) => isAddress(text.trim()),
  "webhook-name": (text: string) => {
    const length = codePointLength(cleanName(text))
    return length >= 1 && length <= 80
  },
  "avatar": (text: string) => isAvatar(text)
} as const

const typeOf = (value: unknown): string => Array.isArray(value) ? "array" : value === null ? "null" : typeof value

/** A keyword of JSON Schema that replaces a value of another type than this one with null. */
export const orNull = {
  keyword: "orNull",
  modifying: true,
  errors: false,
  validate: (
    type: string,
    value: unknown,
    _schema?: unknown,
    place?: { readonly parentData: object; readonly parentDataProperty: string | number }
  ): boolean => {
    if (typeOf(value) !== type && place !== undefined) Reflect.set(place.parentData, place.parentDataProperty, null)
    return true
  }
} as const

const status = component("ScheduledMessageStatus")

export const statusQuery = {
  type: "object",
  properties: { status: { anyOf: [status, { type: "array", items: status }] } }
}
export const guildParams = { type: "object", properties: { guild_id: { type: "string", format: "snowflake" } } }

export const consentBody = component("ConsentRequest")
export const memberSearchBody = component("MemberSearch")
export const scheduleDeletionBody = component("ScheduleDeletion")
export const changeEmailBody = {
  type: "object",
  properties: { user_id: { type: "string", format: "snowflake" }, email: { type: "string", format: "service-email" } },
  required: ["user_id", "email"]
}
export const codeHostBody = component("CodeHostNotification")
export const errorTrackerBody = component("ErrorTrackerNotification")
export const updateWebhookBody = {
  type: "object",
  properties: {
    name: { type: "string", format: "webhook-name" },
    avatar: { type: "string", format: "avatar", nullable: true }
  }
}

export const consentAnswer = { 200: component("ConsentResult") }
export const scheduledMessagesAnswer = { 200: { type: "array", items: component("ScheduledMessage") } }
export const memberSearchAnswer = { 200: component("MemberSearchResult") }
export const userAnswer = { 200: component("UserResult") }
export const webhookAnswer = { 200: component("Webhook") }
