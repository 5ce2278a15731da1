import { DefaultDaysUntilDeletion } from "@community-messaging/domain/account/Accounts"
import { EventRetention } from "@community-messaging/domain/event/EventRetention"
import { ClaimLease } from "@community-messaging/domain/shared-kernel/BatchResult"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import { MemberIndexMaxBytes } from "@community-messaging/member-index/GuildIndexes"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import { Effect, Layer, Option } from "effect"
import type { Composition } from "./command-line/Composition.ts"
import type { ServerConfiguration, StorageConfiguration } from "./configuration/Configuration.ts"
import * as BackgroundWork from "./serving/BackgroundWork.ts"
import * as ListeningServer from "./serving/ListeningServer.ts"
import { listeningUrl } from "./serving/ListeningUrl.ts"
import * as Storage from "./storage/Storage.ts"

// What the service does, over a storage and what Node offers.
const service = (configuration: StorageConfiguration) =>
  UseCases.layer.pipe(
    Layer.provideMerge(Storage.layer(configuration)),
    Layer.provideMerge(PlatformNode.layer)
  )

// What an operator may set, for those who would otherwise take the default.
const settings = (configuration: ServerConfiguration) =>
  Layer.mergeAll(
    Layer.succeed(DefaultDaysUntilDeletion, configuration.defaultDaysUntilDeletion),
    Layer.succeed(ClaimLease, configuration.claimLease),
    Layer.succeed(EventRetention, configuration.eventRetention),
    Layer.succeed(MemberIndexMaxBytes, configuration.memberIndexMaxBytes)
  )

// The API, under the address that an operator sets, else under the one that is listened on.
const http = ({ publicUrl, requestTimeout, trustedProxies }: ServerConfiguration) =>
  ListeningServer.serve(
    Effect.flatMap(
      Option.match(publicUrl, { onNone: () => listeningUrl, onSome: Effect.succeed }),
      (url) => HttpAdapter.listener({ publicUrl: url, requestTimeout, trustedProxies })
    )
  )

// The service over HTTP, and what it does on its own as time goes by.
const server: Composition["server"] = (configuration, preparation) =>
  Layer.merge(http(configuration), BackgroundWork.layer).pipe(
    Layer.provide(configuration.rateLimiting ? RateLimits.layer(configuration.rateLimits) : RateLimits.layerOff),
    Layer.provideMerge(ListeningServer.layer(configuration)),
    Layer.provide(Layer.effectDiscard(preparation)),
    Layer.provideMerge(service(configuration.data)),
    Layer.provide(settings(configuration))
  )

/** What the program runs, and what the tests of the composed server build. */
export const composition: Composition = { service, server }
