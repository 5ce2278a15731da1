import { SCHEMA_NAME } from "@community-messaging/storage-postgres/PostgresOptions"
import { Either, Redacted } from "effect"

/** The TLS modes of `sslmode`, with the meaning that PostgreSQL's own programs give them. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"]

/** The parameters of TLS, as PostgreSQL's own programs name them. */
const TLS_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"]

const REQUIRED = "a URL such as postgres://user:password@host:5432/database?sslmode=verify-full"

/**
 * Returns the URL if its parameters of TLS are valid. Modes that fall back to no encryption are refused, because the
 * operator would not notice. So are parameters such as `sslMode` and `ssl_mode`, which the driver would ignore.
 */
const checkTls = (url: URL): Either.Either<URL, string> => {
  const isUnknown = (name: string) => /^ssl/i.test(name) && !TLS_PARAMETERS.includes(name)
  if ([...url.searchParams.keys()].some(isUnknown)) {
    return Either.left(`${REQUIRED}. The parameters of TLS are ${TLS_PARAMETERS.join(", ")}`)
  }
  const [mode, ...others] = url.searchParams.getAll("sslmode")
  if (mode === undefined) return Either.right(url)
  // The driver would use the last one.
  if (others.length > 0) return Either.left(`${REQUIRED}, with only one sslmode`)
  if (!SSL_MODES.includes(mode)) return Either.left(`${REQUIRED}, with one of the sslmodes ${SSL_MODES.join(", ")}`)
  if (mode === "verify-ca" && !url.searchParams.has("sslrootcert")) {
    return Either.left(
      `${REQUIRED}. With sslmode=verify-ca it needs sslrootcert=FILE, the certificate of the authority`
    )
  }
  return Either.right(url)
}

const ENCODED =
  `${REQUIRED}, with special characters of the password percent-encoded: / as %2F, # as %23, ? as %3F, and @ after the host as %40`

/**
 * Returns whether the password ends before the host: `/`, `#` and `?` end it too early. A part of it would be parsed as the
 * host or the port, and be shown.
 */
const isCut = ({ hash, pathname, search }: URL): boolean => `${pathname}${search}${hash}`.includes("@")

/** Parses the URL of a PostgreSQL database. The password is a secret. */
export const databaseUrl = (text: string): Either.Either<Redacted.Redacted, string> => {
  const url = /^postgres(ql)?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.hostname === "" && !url.searchParams.has("host"))) {
    return Either.left(text.includes("@") ? ENCODED : REQUIRED)
  }
  return isCut(url) ? Either.left(ENCODED) : Either.map(checkTls(url), ({ href }) => Redacted.make(href))
}

/** The location of the database for messages: `host:port/database`, without user and password. */
export const location = (url: Redacted.Redacted): string => {
  const { hostname, pathname, port, searchParams, username } = new URL(Redacted.value(url))
  const database = pathname.length > 1 ? pathname : `/${username}`
  return `${searchParams.get("host") ?? hostname}:${port === "" ? "5432" : port}${database}`
}

/** Parses the name of a schema that needs no quotes, as most tools expect. */
export const schemaName = (text: string): Either.Either<string, string> =>
  SCHEMA_NAME.test(text)
    ? Either.right(text)
    : Either.left(
      "a name of 1 to 63 of a-z, 0-9 and _, that does not begin with a digit or pg_ and is not information_schema"
    )
