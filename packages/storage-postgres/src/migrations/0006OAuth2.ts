/** Applications, consents, codes and grants. Times are in Unix milliseconds. */
export const oauth2 = (): ReadonlyArray<string> => [
  `CREATE TABLE applications (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    bot_user_id bigint,
    redirect_uris text NOT NULL -- JSON
  )`,

  `CREATE TABLE consents (
    user_id bigint NOT NULL,
    application_id bigint NOT NULL,
    scopes text NOT NULL, -- JSON
    permissions text NOT NULL, -- decimal digits: there may be more than 64 bits
    guild_id bigint,
    granted_at bigint NOT NULL,
    PRIMARY KEY (user_id, application_id)
  )`,

  `CREATE TABLE authorization_codes (
    digest text PRIMARY KEY,
    application_id bigint NOT NULL,
    user_id bigint NOT NULL,
    redirect_uri text,
    scopes text NOT NULL, -- JSON
    expires_at bigint NOT NULL,
    redeemed_at bigint
  )`,
  "CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id)",
  "CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at)",

  `CREATE TABLE access_grants (
    token_digest text PRIMARY KEY,
    code_digest text NOT NULL,
    application_id bigint NOT NULL,
    user_id bigint NOT NULL,
    scopes text NOT NULL, -- JSON
    created_at bigint NOT NULL,
    revoked_at bigint
  )`,
  "CREATE INDEX access_grants_by_code ON access_grants (code_digest)",
  "CREATE INDEX access_grants_by_user ON access_grants (user_id)"
]
