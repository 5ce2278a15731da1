/** Removes an avatar if no account, webhook or message refers to it any more. */
const removeIfUnused = (hash: string): string => `
    DELETE FROM avatars WHERE hash = ${hash}
      AND NOT EXISTS (SELECT 1 FROM webhooks WHERE avatar = ${hash})
      AND NOT EXISTS (SELECT 1 FROM users WHERE avatar = ${hash})
      AND NOT EXISTS (SELECT 1 FROM message_avatars WHERE hash = ${hash});`

/** Avatars are removed with the last account or webhook that refers to them, unless a message refers to them. */
export const unusedAvatars: ReadonlyArray<string> = [
  // The avatars of all messages, each once. An index of the messages would grow with each message.
  "CREATE TABLE message_avatars (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
  "INSERT INTO message_avatars SELECT DISTINCT author ->> 'avatar' FROM messages WHERE author ->> 'avatar' IS NOT NULL",
  `CREATE TRIGGER messages_keep_avatars AFTER INSERT ON messages WHEN NEW.author ->> 'avatar' IS NOT NULL
  BEGIN
    INSERT INTO message_avatars (hash) VALUES (NEW.author ->> 'avatar') ON CONFLICT DO NOTHING;
  END`,

  "CREATE INDEX webhooks_by_avatar ON webhooks (avatar) WHERE avatar IS NOT NULL",
  "CREATE INDEX users_by_avatar ON users (avatar) WHERE avatar IS NOT NULL",
  `CREATE TRIGGER webhooks_replace_avatar AFTER UPDATE OF avatar ON webhooks
  WHEN OLD.avatar IS NOT NULL AND NEW.avatar IS NOT OLD.avatar
  BEGIN${removeIfUnused("OLD.avatar")}
  END`,
  `CREATE TRIGGER webhooks_take_avatar_along AFTER DELETE ON webhooks WHEN OLD.avatar IS NOT NULL
  BEGIN${removeIfUnused("OLD.avatar")}
  END`,
  `CREATE TRIGGER users_replace_avatar AFTER UPDATE OF avatar ON users
  WHEN OLD.avatar IS NOT NULL AND NEW.avatar IS NOT OLD.avatar
  BEGIN${removeIfUnused("OLD.avatar")}
  END`,
  `DELETE FROM avatars
  WHERE hash NOT IN (SELECT avatar FROM webhooks WHERE avatar IS NOT NULL)
    AND hash NOT IN (SELECT avatar FROM users WHERE avatar IS NOT NULL)
    AND hash NOT IN (SELECT hash FROM message_avatars)`
]
