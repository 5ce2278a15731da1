/** The avatar in the JSON of a message's author. The JSON may have characters that PostgreSQL's own functions reject. */
const AVATAR_OF_AUTHOR = `substring(NEW.author FROM '"avatar":"([^"]+)"')`

/** Avatars are removed with the last account or webhook that refers to them, unless a message refers to them. */
export const unusedAvatars = (schema: string): ReadonlyArray<string> => [
  // The avatars of all messages, each once. An index of the messages would grow with each message.
  "CREATE TABLE message_avatars (hash text PRIMARY KEY)",
  `CREATE FUNCTION ${schema}.keep_message_avatar() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${schema}.message_avatars (hash) VALUES (${AVATAR_OF_AUTHOR}) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER messages_keep_avatars AFTER INSERT ON messages FOR EACH ROW
  WHEN (${AVATAR_OF_AUTHOR} IS NOT NULL) EXECUTE FUNCTION ${schema}.keep_message_avatar()`,

  "CREATE INDEX webhooks_by_avatar ON webhooks (avatar) WHERE avatar IS NOT NULL",
  "CREATE INDEX users_by_avatar ON users (avatar) WHERE avatar IS NOT NULL",
  // Waits for concurrent writers of the same avatar, and then checks whether the avatar has references.
  `CREATE FUNCTION ${schema}.remove_unused_avatar() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM ${schema}.avatars WHERE hash = OLD.avatar FOR UPDATE;
    DELETE FROM ${schema}.avatars WHERE hash = OLD.avatar
      AND NOT EXISTS (SELECT 1 FROM ${schema}.webhooks WHERE avatar = OLD.avatar)
      AND NOT EXISTS (SELECT 1 FROM ${schema}.users WHERE avatar = OLD.avatar)
      AND NOT EXISTS (SELECT 1 FROM ${schema}.message_avatars WHERE hash = OLD.avatar);
    RETURN NULL;
  END $$`,
  ...["webhooks", "users"].map((table) =>
    `CREATE TRIGGER ${table}_replace_avatar AFTER UPDATE OF avatar ON ${table}
  FOR EACH ROW WHEN (OLD.avatar IS NOT NULL AND NEW.avatar IS DISTINCT FROM OLD.avatar)
  EXECUTE FUNCTION ${schema}.remove_unused_avatar()`
  ),
  `CREATE TRIGGER webhooks_take_avatar_along AFTER DELETE ON webhooks FOR EACH ROW WHEN (OLD.avatar IS NOT NULL)
  EXECUTE FUNCTION ${schema}.remove_unused_avatar()`
]
