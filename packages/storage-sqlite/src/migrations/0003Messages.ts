/** Posted messages, and webhooks. Times are in Unix milliseconds. */
export const messages: ReadonlyArray<string> = [
  // A message outlives its channel, so channel_id is not a foreign key.
  `CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    author TEXT NOT NULL, -- JSON
    payload TEXT NOT NULL, -- JSON
    created_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX messages_by_channel ON messages (channel_id)",
  `CREATE TRIGGER messages_need_channel BEFORE INSERT ON messages
  WHEN NOT EXISTS (SELECT 1 FROM channels WHERE id = NEW.channel_id)
  BEGIN
    SELECT RAISE(ABORT, 'a message needs its channel');
  END`,

  `CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    avatar TEXT,
    token_digest TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX webhooks_by_channel ON webhooks (channel_id)",

  `CREATE TABLE webhook_deliveries (
    webhook_id INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (webhook_id, delivery_id)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (received_at)",
  `CREATE TRIGGER webhooks_take_deliveries_along AFTER DELETE ON webhooks
  BEGIN
    DELETE FROM webhook_deliveries WHERE webhook_id = OLD.id;
  END`,

  `CREATE TABLE avatars (
    hash TEXT PRIMARY KEY,
    content_type TEXT NOT NULL,
    animated INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT`
]
