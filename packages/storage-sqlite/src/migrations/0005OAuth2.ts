/** Applications, consents, codes and grants. Times are in Unix milliseconds. */
export const oauth2: ReadonlyArray<string> = [
  `CREATE TABLE applications (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    bot_user_id INTEGER,
    redirect_uris TEXT NOT NULL -- JSON
  ) STRICT`,

  `CREATE TABLE consents (
    user_id INTEGER NOT NULL,
    application_id INTEGER NOT NULL,
    scopes TEXT NOT NULL, -- JSON
    permissions TEXT NOT NULL, -- decimal digits: there may be more than 64 bits
    guild_id INTEGER,
    granted_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, application_id)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE authorization_codes (
    digest TEXT PRIMARY KEY,
    application_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    redirect_uri TEXT,
    scopes TEXT NOT NULL, -- JSON
    expires_at INTEGER NOT NULL,
    redeemed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id)",
  "CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at)",

  `CREATE TABLE access_grants (
    token_digest TEXT PRIMARY KEY,
    code_digest TEXT NOT NULL,
    application_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    scopes TEXT NOT NULL, -- JSON
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX access_grants_by_code ON access_grants (code_digest)",
  "CREATE INDEX access_grants_by_user ON access_grants (user_id)"
]
