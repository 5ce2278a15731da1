import { listeningUrl } from "@community-messaging/http-adapter/PublicUrl"
import { Command, Options } from "@effect/cli"
import { Console, Effect, Layer } from "effect"
import { ServerConfiguration, serverFlags } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import * as Demo from "../demo/Demo.ts"
import { GracefulShutdown } from "../serving/ListeningServer.ts"
import type { Composition } from "./Composition.ts"
import * as Log from "./Log.ts"

/** `serve`. */
export const make = (composition: Composition) =>
  Command.make("serve", {
    demo: Options.boolean("demo").pipe(
      Options.withDescription("Make up a community for trying things out, and print a curl for every operation.")
    ),
    flags: serverFlags
  }, ({ demo, flags }) =>
    Effect.gen(function*() {
      const configuration = yield* Setting.load(ServerConfiguration, flags)
      return yield* Effect.gen(function*() {
        const context = yield* Layer.build(composition.server(configuration))
        return yield* Effect.gen(function*() {
          const url = `${yield* listeningUrl}/v1`
          yield* Effect.log(`Listening on ${url}`)
          if (demo) yield* Effect.flatMap(Demo.prepare(configuration.data.dataDirectory, url), Console.log)
          const { drain } = yield* GracefulShutdown
          return yield* Effect.never.pipe(
            Effect.ensuring(Effect.zipRight(Effect.log("Stopping"), drain))
          )
        }).pipe(Effect.provide(context))
      }).pipe(Effect.scoped, Effect.provide(Log.ofServer(configuration.logFormat)))
    })).pipe(Command.withDescription("Serve HTTP until the process is told to stop (SIGINT or SIGTERM)."))
