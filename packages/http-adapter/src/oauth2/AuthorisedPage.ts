import * as Reply from "../server/Reply.ts"
import type { Page } from "../server/Routes.ts"

/** Says that all is done: where users are sent after consent when an application has no redirect URI of its own. */
export const page: Page = {
  _tag: "Page",
  path: "/v1/oauth2/authorized",
  reply: Reply.text(
    200,
    "text/html; charset=utf-8",
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Authorised</title>` +
      `<p>The application is authorised. You may close this page.</p></html>\n`,
    // The address of this page carries the code: it is not to be sent on, kept, or read by anything.
    {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  )
}
