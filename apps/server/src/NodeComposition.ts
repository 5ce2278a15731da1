import { DefaultDaysUntilDeletion } from "@community-messaging/domain/account/Accounts"
import { ClaimLease } from "@community-messaging/domain/DueWork"
import * as UseCases from "@community-messaging/domain/UseCases"
import { TrustedProxies } from "@community-messaging/http-adapter/checks/ClientAddress"
import { Deadline } from "@community-messaging/http-adapter/Deadline"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { PublicUrl } from "@community-messaging/http-adapter/PublicUrl"
import { RateLimits } from "@community-messaging/http-adapter/rate-limit/RateLimits"
import { MemberIndexMaxBytes } from "@community-messaging/member-index/GuildIndexes"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import { NodeHttpServer } from "@effect/platform-node"
import { Layer } from "effect"
import type { Composition } from "./command-line/Composition.ts"
import type { ServerConfiguration, StorageConfiguration } from "./configuration/Configuration.ts"
import * as BackgroundWork from "./serving/BackgroundWork.ts"
import * as ListeningServer from "./serving/ListeningServer.ts"
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
    Layer.succeed(Deadline, configuration.requestTimeout),
    Layer.succeed(ClaimLease, configuration.claimLease),
    Layer.succeed(TrustedProxies, configuration.trustedProxies),
    Layer.succeed(PublicUrl, configuration.publicUrl),
    Layer.succeed(BackgroundWork.EventRetention, configuration.eventRetention),
    Layer.succeed(MemberIndexMaxBytes, configuration.memberIndexMaxBytes)
  )

// The service over HTTP, and what it does on its own as time goes by.
const server: Composition["server"] = (configuration, preparation) =>
  Layer.merge(HttpAdapter.layer, BackgroundWork.layer).pipe(
    Layer.provide(configuration.rateLimiting ? RateLimits.layer(configuration.rateLimits) : RateLimits.layerOff),
    Layer.provide(NodeHttpServer.layerContext),
    Layer.provideMerge(ListeningServer.layer(configuration)),
    Layer.provide(Layer.effectDiscard(preparation)),
    Layer.provideMerge(service(configuration.data)),
    Layer.provide(settings(configuration))
  )

/** What the program runs, and what the tests of the composed server build. */
export const composition: Composition = { service, server }
