/** Posted messages, webhooks and avatars. Times are in Unix milliseconds. */
export const messages = (schema: string): ReadonlyArray<string> => [
  // A message outlives its channel, so channel_id is not a foreign key.
  `CREATE TABLE messages (
    id bigint PRIMARY KEY,
    channel_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    author text NOT NULL, -- JSON
    payload text NOT NULL, -- JSON
    created_at bigint NOT NULL
  )`,
  "CREATE INDEX messages_by_channel ON messages (channel_id, id)",
  `CREATE FUNCTION ${schema}.need_channel() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM ${schema}.channels WHERE id = NEW.channel_id) THEN
      RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = 'a message needs its channel';
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER messages_need_channel BEFORE INSERT ON messages FOR EACH ROW
  EXECUTE FUNCTION ${schema}.need_channel()`,

  `CREATE TABLE webhooks (
    id bigint PRIMARY KEY,
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    name text NOT NULL,
    avatar text,
    token_digest text NOT NULL
  )`,
  "CREATE INDEX webhooks_by_channel ON webhooks (channel_id)",

  `CREATE TABLE webhook_deliveries (
    webhook_id bigint NOT NULL,
    delivery_id text NOT NULL,
    received_at bigint NOT NULL,
    PRIMARY KEY (webhook_id, delivery_id)
  )`,
  "CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (received_at)",
  `CREATE FUNCTION ${schema}.take_deliveries_along() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${schema}.webhook_deliveries WHERE webhook_id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER webhooks_take_deliveries_along AFTER DELETE ON webhooks FOR EACH ROW
  EXECUTE FUNCTION ${schema}.take_deliveries_along()`,

  `CREATE TABLE avatars (
    hash text PRIMARY KEY,
    content_type text NOT NULL,
    animated boolean NOT NULL,
    bytes bytea NOT NULL
  )`,
  // Images are compressed already.
  "ALTER TABLE avatars ALTER COLUMN bytes SET STORAGE EXTERNAL"
]
