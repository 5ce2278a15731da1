import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { Effect } from "effect"
import type { Report } from "./Health.ts"

/**
 * The pages for health checks of an orchestrator or a load balancer, without credentials. `/health/live`: the process
 * responds; if not, restart it. `/health/ready`: the server can do its work; if not (503), send it no requests. Source:
 * docs/operating.md, Health.
 */
export const make = (report: Effect.Effect<Report>): ReadonlyArray<Page> => [
  { _tag: "Page", path: "/health/live", isQuiet: true, reply: Reply.json(200, { status: "live" }, Reply.NO_HEADERS) },
  {
    _tag: "Page",
    path: "/health/ready",
    link: { name: "health", title: "Health" },
    isQuiet: true,
    reply: () =>
      Effect.map(
        report,
        ({ checks, status }) => Reply.json(status === "ready" ? 200 : 503, { status, checks }, Reply.NO_HEADERS)
      )
  }
]
