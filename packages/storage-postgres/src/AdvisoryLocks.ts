import type { Lock, Storage } from "@community-messaging/storage-sql/Units"

/** The number of a key. */
const NUMBER = "hashtextextended(?, 0)"

const FUNCTION = "pg_advisory_xact_lock"

const call = ({ shared }: Lock) => `${FUNCTION}${shared ? "_shared" : ""}(${NUMBER})`

/** Returns whether the statement takes a lock. */
export const isLock = (text: string): boolean => text.includes(FUNCTION)

/** Returns whether the statement takes a lock that only one unit can hold. */
export const isExclusive = (text: string): boolean => text.includes(`${FUNCTION}(`)

/**
 * Takes advisory locks in their order, all by one statement. It costs no extra round trip: the next statement waits for the
 * locks. PostgreSQL releases them when the transaction ends. Two keys with the same number only wait for each other without
 * need. Services in different schemas have different locks.
 */
export const taking = (schema: string): Storage["lock"] => (locks, send) =>
  send(`SELECT ${locks.map(call).join(", ")}`, locks.map(({ key }) => `${schema}:${key}`))
