import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { document } from "../definition/OpenApiDocument.ts"

/** Serves the OpenAPI document. */
export const layer = HttpApiBuilder.Router.use((router) =>
  router.get(
    "/v1/openapi.json",
    HttpServerResponse.unsafeJson(document, { headers: { "cache-control": "public, max-age=300" } })
  )
)
