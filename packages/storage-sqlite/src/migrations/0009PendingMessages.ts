/** An index for pending messages: they are few and queried often. */
export const pendingMessages: ReadonlyArray<string> = [
  "CREATE INDEX scheduled_messages_by_pending ON scheduled_messages (status) WHERE status = 'pending'"
]
