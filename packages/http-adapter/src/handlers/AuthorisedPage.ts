import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"

/** Where users are sent after consent when an application has no redirect URI of its own, below the public URL. */
export const PATH = "/v1/oauth2/authorized"

const page = HttpServerResponse.text(
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Authorised</title>` +
    `<p>The application is authorised. You may close this page.</p></html>\n`,
  {
    contentType: "text/html; charset=utf-8",
    // The address of this page carries the code: it is not to be sent on, kept, or read by anything.
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  }
)

/** Serves the page that says that all is done. */
export const layer = HttpApiBuilder.Router.use((router) => router.get(PATH, page))
