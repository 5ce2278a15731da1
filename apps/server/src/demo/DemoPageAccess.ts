import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { Option } from "effect"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { ServerConfiguration } from "../configuration/Configuration.ts"

/*
 * The access to the demo's page. The page contains the demo's credentials, so it can show and do everything.
 */

/** Whether a host name or address is a loopback one. */
const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" ||
    (isIP(name) === 4 && name.startsWith("127."))
}

const hostOf = (url: string): string => URL.canParse(url) ? new URL(url).hostname : ""

type Access = Pick<ServerConfiguration, "demoPage" | "host" | "publicUrl" | "trustedProxies">

/** Why the page is not served; none if it is. */
export const refusal = ({ demoPage, host, publicUrl, trustedProxies }: Access): Option.Option<string> => {
  if (demoPage === "on") return Option.none()
  if (demoPage === "off") return Option.some("DEMO_PAGE is off")
  if (!isLoopback(host)) return Option.some(`HOST is ${host}, which others can reach: DEMO_PAGE=on serves it anyway`)
  return trustedProxies > 0 || Option.exists(publicUrl, (url) => !isLoopback(hostOf(url)))
    ? Option.some("others can reach it, because of TRUST_PROXY or PUBLIC_URL: DEMO_PAGE=on serves it anyway")
    : Option.none()
}

/**
 * Returns whether the name in `Host` is one of this server's. A page elsewhere can give its own name this machine's address
 * (DNS rebinding), but it can neither be `localhost` nor have an address for a name.
 */
const isOwnName = (authority: string, { demoPage, publicUrl }: Access): boolean => {
  const host = hostOf(`http://${authority}`)
  if (isLoopback(host)) return true
  return demoPage === "on" &&
    (isIP(host.replace(/^\[(.*)\]$/, "$1")) > 0 || Option.exists(publicUrl, (url) => hostOf(url) === host))
}

/** Returns whether the request is from another site's page, according to the browser. */
const isOfOtherSite = ({ headers: { "sec-fetch-site": site, host = "", origin } }: IncomingMessage): boolean =>
  (site !== undefined && site !== "same-origin" && site !== "none") ||
  (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host))

/** The reply to a request that is not allowed. */
export const forbidden = (message: string): Reply.Reply =>
  Reply.json(403, { code: "FORBIDDEN", message }, Reply.NO_HEADERS)

const OTHER_NAME = forbidden("Open this page by the address that the server printed.")
const OTHER_SITE = forbidden("Pages of other sites may not use the demo.")

/**
 * Returns the reply to a request that is not allowed. Other sites may link to a document, which they cannot read, but
 * may not request its data.
 */
export const refuse = (
  request: IncomingMessage,
  access: Access,
  kind: "document" | "data"
): Option.Option<Reply.Reply> => {
  if (!isOwnName(request.headers.host ?? "", access)) return Option.some(OTHER_NAME)
  return kind === "data" && isOfOtherSite(request) ? Option.some(OTHER_SITE) : Option.none()
}
