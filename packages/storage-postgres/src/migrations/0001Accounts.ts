/** Accounts, bot tokens and admin keys. Times are in Unix milliseconds. */
export const accounts = (schema: string): ReadonlyArray<string> => [
  // For triggers with a condition: rejects the write with their argument as the message.
  `CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0], TABLE = TG_TABLE_NAME;
  END $$`,

  `CREATE TABLE users (
    id bigint PRIMARY KEY,
    username text NOT NULL,
    discriminator bigint NOT NULL,
    global_name text,
    bot boolean NOT NULL,
    system boolean NOT NULL,
    flags text NOT NULL, -- decimal digits: it may have more than 64 bits
    avatar text,
    banner text,
    bio text,
    pronouns text,
    accent_color bigint,
    email text,
    email_verified boolean,
    email_bounced boolean,
    phone text,
    date_of_birth text,
    locale text,
    premium_type bigint,
    premium_since bigint,
    premium_until bigint,
    suspicious_activity_flags bigint NOT NULL,
    temp_banned_until bigint,
    pending_deletion_at bigint,
    pending_bulk_message_deletion_at bigint,
    deletion_reason_code bigint,
    deletion_public_reason text,
    acls text NOT NULL, -- JSON
    traits text NOT NULL, -- JSON
    has_totp boolean NOT NULL,
    authenticator_types text NOT NULL, -- JSON
    last_active_at bigint,
    last_active_ip text,
    last_active_ip_reverse text,
    last_active_location text,
    deleted_at bigint,
    email_key text CONSTRAINT users_email_key_key UNIQUE, -- what e-mail addresses share that count as the same
    username_text text NOT NULL, -- names as member search compares them
    global_name_text text,
    deletion_leased_until bigint, -- the end of a claim on the due deletion
    deletion_claimable_at bigint GENERATED ALWAYS AS (
      CASE WHEN deleted_at IS NULL AND pending_deletion_at IS NOT NULL
        THEN greatest(pending_deletion_at, deletion_leased_until) END
    ) STORED
  )`,
  "CREATE INDEX users_by_claimable_deletion ON users (deletion_claimable_at) WHERE deletion_claimable_at IS NOT NULL",
  // Cancelling or completing a deletion ends its claim.
  `CREATE FUNCTION ${schema}.end_deletion_claim() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.deletion_leased_until := NULL;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER users_end_claim BEFORE UPDATE OF pending_deletion_at, deleted_at ON users FOR EACH ROW
  WHEN (
    NEW.deletion_leased_until IS NOT NULL AND (NEW.pending_deletion_at IS NULL OR NEW.deleted_at IS NOT NULL)
  ) EXECUTE FUNCTION ${schema}.end_deletion_claim()`,

  `CREATE TABLE credentials (
    id bigint PRIMARY KEY,
    kind text NOT NULL,
    digest text NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    revoked_at bigint,
    user_id bigint REFERENCES users (id), -- of a bot token
    name text, -- of an admin key
    acls text, -- of an admin key, JSON
    CHECK (
      (kind = 'BotToken' AND user_id IS NOT NULL AND name IS NULL AND acls IS NULL)
      OR (kind = 'AdminKey' AND user_id IS NULL AND name IS NOT NULL AND acls IS NOT NULL)
    )
  )`,
  "CREATE INDEX credentials_by_user ON credentials (user_id) WHERE user_id IS NOT NULL"
]
