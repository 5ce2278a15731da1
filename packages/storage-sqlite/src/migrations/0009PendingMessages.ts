/** Messages that wait to be checked are few and looked for often. */
export const pendingMessages: ReadonlyArray<string> = [
  "CREATE INDEX scheduled_messages_by_pending ON scheduled_messages (status) WHERE status = 'pending'"
]
