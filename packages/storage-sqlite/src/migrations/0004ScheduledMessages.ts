/** Scheduled messages, with triggers that check the changes of their status. Times are in Unix milliseconds. */
export const scheduledMessages: ReadonlyArray<string> = [
  `CREATE TABLE scheduled_messages (
    id INTEGER PRIMARY KEY,
    author_id INTEGER NOT NULL REFERENCES users (id),
    channel_id INTEGER NOT NULL,
    scheduled_at INTEGER NOT NULL,
    scheduled_local_at TEXT NOT NULL,
    timezone TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'invalid', 'scheduled', 'sent', 'failed', 'cancelled')),
    status_reason TEXT,
    payload TEXT NOT NULL, -- JSON
    created_at INTEGER NOT NULL,
    invalidated_at INTEGER,
    attempts INTEGER NOT NULL,
    next_attempt_at INTEGER,
    ended_at INTEGER,
    leased_until INTEGER, -- the end of a claim on the due message
    due_at INTEGER GENERATED ALWAYS AS (coalesce(next_attempt_at, scheduled_at)) VIRTUAL,
    claimable_at INTEGER GENERATED ALWAYS AS (
      CASE status WHEN 'scheduled' THEN
        max(coalesce(next_attempt_at, scheduled_at), coalesce(leased_until, next_attempt_at, scheduled_at))
      END
    ) VIRTUAL
  ) STRICT`,
  "CREATE INDEX scheduled_messages_by_author ON scheduled_messages (author_id, status, scheduled_at)",
  `CREATE INDEX scheduled_messages_by_claimable ON scheduled_messages (claimable_at) WHERE claimable_at IS NOT NULL`,
  "CREATE INDEX scheduled_messages_by_end ON scheduled_messages (ended_at) WHERE ended_at IS NOT NULL",

  // The transition table (API gaps, Scheduled messages), for writers that bypass the domain. A delivered message does
  // not change.
  `CREATE TRIGGER scheduled_messages_keep_to_transitions BEFORE UPDATE ON scheduled_messages
  WHEN OLD.status || ' to ' || NEW.status NOT IN (
    'pending to pending', 'pending to scheduled', 'pending to invalid', 'pending to cancelled',
    'scheduled to scheduled', 'scheduled to sent', 'scheduled to failed', 'scheduled to invalid',
    'scheduled to cancelled',
    'invalid to invalid', 'invalid to pending', 'invalid to cancelled',
    'failed to failed', 'failed to pending', 'failed to cancelled'
  )
  BEGIN
    SELECT RAISE(ABORT, 'no such transition of a scheduled message');
  END`,
  // INSERT OR REPLACE would bypass the trigger above.
  `CREATE TRIGGER scheduled_messages_are_not_replaced BEFORE INSERT ON scheduled_messages
  WHEN EXISTS (SELECT 1 FROM scheduled_messages WHERE id = NEW.id)
  BEGIN
    SELECT RAISE(ABORT, 'a scheduled message of that id is there already');
  END`
]
