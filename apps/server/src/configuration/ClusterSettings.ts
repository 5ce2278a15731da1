import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { ALL_INTERFACES } from "../serving/Listening.ts"
import * as Setting from "./Setting.ts"
import { oneOf, wholeNumber } from "./SettingText.ts"

/** Shorter secrets could be guessed from one recorded handshake. */
const MIN_SECRET_LENGTH = 32

/** The settings of the cluster. */
export const clusterSettings = {
  memberIndex: Setting.make({
    name: "MEMBER_INDEX",
    description:
      "Where the indexes of member search are: local (on each server) or sharded (each guild's on one server of a cluster, with STORAGE=postgres).",
    fallback: "local",
    parse: oneOf("local", "sharded")
  }),
  host: Setting.make({
    name: "CLUSTER_HOST",
    description: "Address or name at which other servers of the cluster reach this one.",
    fallback: "127.0.0.1",
    parse: (text) =>
      ALL_INTERFACES.has(text)
        ? Either.left(
          "an address at which others reach this server; to listen on all interfaces, set CLUSTER_LISTEN_HOST"
        )
        : Either.right(text)
  }),
  listenHost: Setting.makeOptional({
    name: "CLUSTER_LISTEN_HOST",
    description: "Address to listen on for other servers of the cluster. Use 0.0.0.0 for all interfaces.",
    fallback: "CLUSTER_HOST",
    parse: Either.right
  }),
  port: Setting.make({
    name: "CLUSTER_PORT",
    description: "Port for other servers of the cluster. Use 0 for any free port.",
    fallback: "0",
    parse: wholeNumber(0, 65_535)
  }),
  secret: Setting.makeOptional({
    name: "CLUSTER_SECRET",
    description: "Shared secret of all servers of the cluster: 32 random characters or more.",
    fallback: "none",
    parse: (text) =>
      text.length >= MIN_SECRET_LENGTH
        ? Either.right(Redacted.make(text))
        : Either.left(`at least ${MIN_SECRET_LENGTH} characters`),
    secret: true
  })
}

/** The options of this server in a cluster; none without a cluster. */
export const cluster = Config.all(clusterSettings).pipe(
  Config.mapOrFail(({ host, listenHost, memberIndex, port, secret }) => {
    if (memberIndex === "local") return Either.right(Option.none())
    return Option.isSome(secret)
      ? Either.right(
        Option.some({ host, listenHost: Option.getOrElse(listenHost, () => host), port, secret: secret.value })
      )
      : Either.left(ConfigError.MissingData(["CLUSTER_SECRET"], "must be set if MEMBER_INDEX is sharded"))
  })
)

/** The options of this server in a cluster. */
export type ClusterOptions = Option.Option.Value<Config.Config.Success<typeof cluster>>
