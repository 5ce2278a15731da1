/** The event log and the audit log. A rollback also rolls back the sequence number, so there are no gaps. */
export const logs: ReadonlyArray<string> = [
  `CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    occurred_at INTEGER NOT NULL, -- Unix milliseconds
    event TEXT NOT NULL -- JSON
  ) STRICT`,
  `CREATE INDEX events_by_age ON events (occurred_at, sequence)`,

  `CREATE TABLE audit_records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL, -- Unix milliseconds
    actor TEXT NOT NULL, -- JSON
    action TEXT NOT NULL,
    target_id INTEGER NOT NULL,
    before TEXT NOT NULL, -- JSON
    after TEXT NOT NULL -- JSON
  ) STRICT`,
  // Audit records are permanent: triggers also reject changes that are made directly in the database.
  `CREATE TRIGGER audit_records_are_not_changed BEFORE UPDATE ON audit_records
  BEGIN
    SELECT RAISE(ABORT, 'an audit record is for good');
  END`,
  `CREATE TRIGGER audit_records_are_not_removed BEFORE DELETE ON audit_records
  BEGIN
    SELECT RAISE(ABORT, 'an audit record is for good');
  END`
]
