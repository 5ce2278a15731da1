/** Accounts, bot tokens and admin keys. Times are in Unix milliseconds. */
export const accounts: ReadonlyArray<string> = [
  `CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username TEXT NOT NULL,
    discriminator INTEGER NOT NULL,
    global_name TEXT,
    bot INTEGER NOT NULL,
    system INTEGER NOT NULL,
    flags TEXT NOT NULL, -- decimal digits: it may have more than 64 bits
    avatar TEXT,
    banner TEXT,
    bio TEXT,
    pronouns TEXT,
    accent_color INTEGER,
    email TEXT,
    email_verified INTEGER,
    email_bounced INTEGER,
    phone TEXT,
    date_of_birth TEXT,
    locale TEXT,
    premium_type INTEGER,
    premium_since INTEGER,
    premium_until INTEGER,
    suspicious_activity_flags INTEGER NOT NULL,
    temp_banned_until INTEGER,
    pending_deletion_at INTEGER,
    pending_bulk_message_deletion_at INTEGER,
    deletion_reason_code INTEGER,
    deletion_public_reason TEXT,
    acls TEXT NOT NULL, -- JSON
    traits TEXT NOT NULL, -- JSON
    has_totp INTEGER NOT NULL,
    authenticator_types TEXT NOT NULL, -- JSON
    last_active_at INTEGER,
    last_active_ip TEXT,
    last_active_ip_reverse TEXT,
    last_active_location TEXT,
    deleted_at INTEGER,
    email_key TEXT, -- what e-mail addresses share that count as the same
    username_text TEXT NOT NULL, -- names as member search compares them
    global_name_text TEXT,
    deletion_leased_until INTEGER, -- the end of a claim on the due deletion
    deletion_claimable_at INTEGER GENERATED ALWAYS AS (
      CASE WHEN deleted_at IS NULL THEN max(pending_deletion_at, coalesce(deletion_leased_until, pending_deletion_at)) END
    ) VIRTUAL
  ) STRICT`,
  "CREATE UNIQUE INDEX users_by_email ON users (email_key)",
  `CREATE INDEX users_by_claimable_deletion ON users (deletion_claimable_at) WHERE deletion_claimable_at IS NOT NULL`,
  // Cancelling or completing a deletion ends its claim.
  `CREATE TRIGGER users_end_claim AFTER UPDATE OF pending_deletion_at, deleted_at ON users
  WHEN NEW.deletion_leased_until IS NOT NULL AND NEW.deletion_claimable_at IS NULL
  BEGIN
    UPDATE users SET deletion_leased_until = NULL WHERE id = NEW.id;
  END`,

  `CREATE TABLE credentials (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    user_id INTEGER REFERENCES users (id), -- of a bot token
    name TEXT, -- of an admin key
    acls TEXT, -- of an admin key, JSON
    CHECK (
      (kind = 'BotToken' AND user_id IS NOT NULL AND name IS NULL AND acls IS NULL)
      OR (kind = 'AdminKey' AND user_id IS NULL AND name IS NOT NULL AND acls IS NOT NULL)
    )
  ) STRICT`,
  "CREATE UNIQUE INDEX credentials_by_digest ON credentials (digest)",
  "CREATE INDEX credentials_by_user ON credentials (user_id) WHERE user_id IS NOT NULL"
]
