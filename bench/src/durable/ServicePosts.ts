/* oxlint-disable no-await-in-loop -- A caller posts the next one when the previous one is stored. */
import { Tokens } from "@community-messaging/domain/access/Tokens"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import { Effect, Either, Layer, ManagedRuntime } from "effect"
import { CHANNEL_ID, delivery, GUILD_ID, OWNER_ID, WEBHOOK_NAME } from "./Notification.ts"

/** The service, with a webhook to post through. */
export interface ServicePosts {
  readonly webhookId: WebhookId
  /** Posts that many notifications by that many callers at once; each waits until its previous one is stored. */
  readonly post: (howMany: number, callers: number) => Promise<void>
  readonly close: () => Promise<void>
}

const prepare = Effect.gen(function*() {
  const guilds = yield* GuildRepository
  const webhooks = yield* Webhooks
  yield* guilds.save({ id: GUILD_ID, name: "Analytical Engines", ownerId: OWNER_ID })
  yield* guilds.saveChannel({ id: CHANNEL_ID, guildId: GUILD_ID, name: "builds" })
  const { webhook } = yield* webhooks.create(
    { channelId: CHANNEL_ID, name: WEBHOOK_NAME },
    { _tag: "CommandLine" }
  )
  return webhook
})

/** The service on an empty storage. */
export const open = async <E>(storage: Layer.Layer<StoragePorts, E>): Promise<ServicePosts> => {
  const runtime = ManagedRuntime.make(
    Webhooks.layer.pipe(
      Layer.provide(Tokens.layer),
      Layer.provide(SnowflakeGenerator.layer(0)),
      Layer.provideMerge(Layer.mergeAll(
        storage,
        PlatformNode.layer,
        // As the server runs it.
        Layer.setTracerEnabled(false)
      ))
    )
  )
  const webhook = await runtime.runPromise(prepare)
  let number = 0
  const postOne = () =>
    runtime.runPromise(Effect.flatMap(Webhooks, (webhooks) => webhooks.post(webhook, delivery(number += 1))))

  return {
    webhookId: webhook.id,
    post: async (howMany, callers) => {
      let left = howMany
      const caller = async () => {
        while (left > 0) {
          left -= 1
          // Each runs by itself, like a request.
          const posted = await postOne()
          if (Either.isLeft(posted)) throw new Error("A notification was not posted.")
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
    },
    close: () => runtime.dispose()
  }
}
