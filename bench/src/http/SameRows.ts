import SqliteDatabase from "better-sqlite3"
import { canonical } from "./Canonical.ts"
import type { Running } from "./Subjects.ts"

/** The rows that the operations write, in the order in which they were written, without the ids that servers choose. */
const QUERIES: { readonly [table: string]: string } = {
  users: "SELECT * FROM users ORDER BY id",
  webhooks: "SELECT * FROM webhooks ORDER BY id",
  webhook_deliveries: "SELECT * FROM webhook_deliveries ORDER BY webhook_id, delivery_id",
  messages: "SELECT channel_id, guild_id, author, payload, created_at FROM messages ORDER BY id",
  consents: "SELECT * FROM consents ORDER BY user_id, application_id",
  authorization_codes: `
    SELECT application_id, user_id, redirect_uri, scopes, expires_at, redeemed_at FROM authorization_codes
    ORDER BY user_id, expires_at`,
  access_grants: "SELECT * FROM access_grants",
  events: "SELECT * FROM events ORDER BY sequence",
  audit_records: "SELECT * FROM audit_records ORDER BY sequence"
}

/** Parses JSON, so that the order of its keys does not matter. */
const parsed = (value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString()
  return typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value
}

/** The row as text, without values that differ in every run: times, and the id of the message in an event. */
const textOf = (row: object): string =>
  canonical(Object.fromEntries(Object.entries(row).map(([column, value]) => [column, parsed(value)])))
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z|\b1\d{12}\b/g, "moment")
    .replace(/("message":\{.*"guildId":"\d+","id":")\d+/g, "$1id")

const rowsOf = ({ database: file }: Running): ReadonlyMap<string, ReadonlyArray<string>> => {
  const database = new SqliteDatabase(file, { readonly: true })
  try {
    return new Map(
      Object.entries(QUERIES).map(([table, query]) => [
        table,
        database.prepare<[], object>(query).safeIntegers().all().map(textOf)
      ])
    )
  } finally {
    database.close()
  }
}

/** The first row of each table in which a subject differs from ours. */
export const differences = (running: ReadonlyArray<Running>): ReadonlyArray<string> => {
  const left = running.map((subject) => ({ subject: subject.subject, rows: rowsOf(subject) }))
  const expected = left.find(({ subject }) => subject === "ours")?.rows ?? new Map<string, ReadonlyArray<string>>()
  return left.flatMap(({ rows, subject }) =>
    Object.keys(QUERIES).flatMap((table) => {
      const wanted = expected.get(table) ?? []
      const found = rows.get(table) ?? []
      const at = Array.from({ length: Math.max(wanted.length, found.length) }).findIndex((_, row) =>
        wanted[row] !== found[row]
      )
      return at === -1
        ? []
        : [`${subject} has another row in ${table}:\n  ${found[at] ?? "none"}\n  ${wanted[at] ?? "none"}`]
    })
  )
}
