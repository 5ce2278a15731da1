/** Scheduled messages, with a trigger that checks the changes of their status. Times are in Unix milliseconds. */
export const scheduledMessages = (schema: string): ReadonlyArray<string> => [
  `CREATE TABLE scheduled_messages (
    id bigint PRIMARY KEY,
    author_id bigint NOT NULL REFERENCES users (id),
    channel_id bigint NOT NULL,
    scheduled_at bigint NOT NULL,
    scheduled_local_at text NOT NULL,
    timezone text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'invalid', 'scheduled', 'sent', 'failed', 'cancelled')),
    status_reason text,
    payload text NOT NULL, -- JSON
    created_at bigint NOT NULL,
    invalidated_at bigint,
    attempts bigint NOT NULL,
    next_attempt_at bigint,
    ended_at bigint,
    leased_until bigint, -- the end of a claim on the due message
    due_at bigint GENERATED ALWAYS AS (coalesce(next_attempt_at, scheduled_at)) STORED,
    claimable_at bigint GENERATED ALWAYS AS (
      CASE status WHEN 'scheduled' THEN greatest(coalesce(next_attempt_at, scheduled_at), leased_until) END
    ) STORED
  )`,
  "CREATE INDEX scheduled_messages_by_author ON scheduled_messages (author_id, status, scheduled_at)",
  "CREATE INDEX scheduled_messages_by_claimable ON scheduled_messages (claimable_at) WHERE claimable_at IS NOT NULL",
  "CREATE INDEX scheduled_messages_by_end ON scheduled_messages (ended_at) WHERE ended_at IS NOT NULL",
  "CREATE INDEX scheduled_messages_by_pending ON scheduled_messages (id) WHERE status = 'pending'",

  // The transition table (API gaps, Scheduled messages), for writers that bypass the domain. A delivered message does
  // not change.
  `CREATE TRIGGER scheduled_messages_keep_to_transitions BEFORE UPDATE ON scheduled_messages FOR EACH ROW
  WHEN (OLD.status || ' to ' || NEW.status NOT IN (
    'pending to pending', 'pending to scheduled', 'pending to invalid', 'pending to cancelled',
    'scheduled to scheduled', 'scheduled to sent', 'scheduled to failed', 'scheduled to invalid',
    'scheduled to cancelled',
    'invalid to invalid', 'invalid to pending', 'invalid to cancelled',
    'failed to failed', 'failed to pending', 'failed to cancelled'
  )) EXECUTE FUNCTION ${schema}.refuse('no such transition of a scheduled message')`
]
