import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { document } from "../definition/OpenApiDocument.ts"
import { publicUrl } from "../PublicUrl.ts"

/** Serves the OpenAPI document, which names the address of the service as clients see it. */
export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.flatMap(publicUrl, (url) =>
    router.get(
      "/v1/openapi.json",
      HttpServerResponse.unsafeJson(document(url), { headers: { "cache-control": "public, max-age=300" } })
    ))
)
