import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import { Duration, Effect } from "effect"
import { createServer } from "node:http"

/** The server for the API alone of docs/embedding.md, on any free port. Returns its origin. */
export const managedServer = Effect.gen(function*() {
  const server = createServer(Connections.SERVER_OPTIONS)
  const { drain, serve } = yield* Connections.make(server)
  serve(yield* HttpAdapter.make({ publicUrl: "https://chat.example" }))
  yield* Effect.addFinalizer(() => drain(Duration.seconds(10)))
  yield* Effect.async<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})
