import type { Page } from "../server/Page.ts"
import * as Reply from "../server/replies/Reply.ts"

/** The page after consent for applications without a redirect URI. It reports success. */
export const page: Page = {
  _tag: "Page",
  path: "/v1/oauth2/authorized",
  reply: Reply.text(
    200,
    "text/html; charset=utf-8",
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Authorised</title>` +
      `<p>The application is authorised. You may close this page.</p></html>\n`,
    // The URL of this page contains the code, so it must not be sent as a referrer, cached, or read by scripts.
    {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer"
    }
  )
}
