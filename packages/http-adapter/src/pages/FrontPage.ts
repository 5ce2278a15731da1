import { Effect } from "effect"
import type { Link, Page } from "../server/Page.ts"
import * as Reply from "../server/replies/Reply.ts"
import { weightFor } from "./Preference.ts"

/** A page that the front page leads to. */
export interface Linked extends Link {
  readonly path: string
}

const STYLE = `:root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}
body{max-width:34rem;margin:12vh auto;padding:0 1.25rem;color:light-dark(#1c2127,#e6e9ee);background:light-dark(#fff,#15181d)}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
ul{list-style:none;margin:2rem 0;padding:0;display:grid;gap:.75rem}
li a{display:block;padding:.8rem 1rem;border:1px solid light-dark(#c9ced6,#3d4550);border-radius:.6rem}
a{color:light-dark(#2540b8,#a9b8ff);text-decoration:none}
a:hover,a:focus-visible{text-decoration:underline}
:focus-visible{outline:3px solid light-dark(#2540b8,#a9b8ff);outline-offset:2px}`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\"", "&quot;")

const html = (links: ReadonlyArray<Linked>): string => {
  // Relative to this page, so that the links hold under every address and path prefix of it.
  const items = links.map(({ path, title }) => `<li><a href="${escaped(path.slice(1))}">${escaped(title)}</a></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Community Messaging</title>
<link rel="icon" href="data:,">
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>Community Messaging</h1>
<p>This is a chat service. Programs call its API under <code>/v1</code>.</p>
<ul>
${items.join("\n")}
</ul>
</main>
</body>
</html>
`
}

const VARY = { vary: "accept" }

/** The front page loads nothing. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page at `/`, which leads to the others: HTML for browsers, and JSON for programs unless they prefer HTML. */
export const make = (publicUrl: string, links: ReadonlyArray<Linked>): Page => {
  const forPrograms = Reply.json(200, {
    name: "Community Messaging",
    links: Object.fromEntries(links.map(({ name, path }) => [name, `${publicUrl}${path}`]))
  }, VARY)
  const forPeople = Reply.text(200, "text/html; charset=utf-8", html(links), {
    ...VARY,
    "content-security-policy": CONTENT_POLICY
  })
  return {
    _tag: "Page",
    path: "/",
    reply: ({ headers: { accept } }) =>
      Effect.sync(() =>
        weightFor(accept, "text/html") > weightFor(accept, "application/json") ? forPeople : forPrograms
      )
  }
}
