import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import * as Mount from "@community-messaging/http-adapter/Mount"
import * as EventResource from "@community-messaging/http-adapter/operations/EventResource"
import * as PublicUrl from "@community-messaging/http-adapter/PublicUrl"
import { isOrigin } from "@community-messaging/http-adapter/server/AllowedOrigins"
import * as Prefix from "@community-messaging/http-adapter/server/Prefix"
import { Cause, Effect, Exit, Option, Schema, Stream } from "effect"
import * as EventIterator from "./EventIterator.ts"
import { decode, decodeOptions } from "./InvalidInput.ts"
import * as Operations from "./Operations.ts"
import { optional } from "./OptionalField.ts"
import * as Runtime from "./Runtime.ts"
import type { Service } from "./Service.ts"
import { ServiceClosed, type ServiceError } from "./ServiceError.ts"
import * as Setup from "./Setup.ts"
import * as WebhookOperations from "./WebhookOperations.ts"

/** Returns the value of an exit, or throws its error unchanged. */
const settle = <A>(exit: Exit.Exit<A, unknown>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

const Position = Schema.Struct({
  after: Schema.Union(Schema.Literal("now"), integer("int64", { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
})

const Origins = Schema.ReadonlySet(
  Schema.String.pipe(Schema.filter(isOrigin, {
    message: () => "must be an http or https origin without a path, such as https://chat.example"
  }))
)

const MountOptions = Schema.Struct({
  publicUrl: Schema.String.pipe(
    Schema.filter((text) => Option.isSome(PublicUrl.parse(text)), {
      message: () => `must be ${PublicUrl.PUBLIC_URL_IN_WORDS}`
    })
  ),
  prefix: optional(
    Schema.String.pipe(Schema.filter(Prefix.isPrefix, { message: () => `must be ${Prefix.PREFIX_IN_WORDS}` }))
  ),
  trustedProxies: optional(integer("int32", { minimum: 0, maximum: 100 })),
  unknownPaths: optional(Schema.Literal("next", "404")),
  allowedOrigins: optional(Schema.Union(Schema.Literal("*"), Origins)),
  maxEventStreamsPerKey: optional(integer("int32", { minimum: 1, maximum: 1_000_000 }))
})

const eventsAfter = (position: number | "now") =>
  Stream.unwrap(
    decode(Position)({ after: position }).pipe(
      Effect.flatMap(({ after }) => after === "now" ? EventStream.end : Effect.succeed(after)),
      Effect.map(EventStream.from)
    )
  ).pipe(Stream.map(EventResource.fromEntity))

/**
 * Opens the storage and returns the service over it. Rejects with `InvalidInput`, `StorageError`, `UnknownSchemaVersion` or
 * `SnowflakeEpochMismatch`, or with the error of your own storage. Source: docs/embedding.md.
 */
export const createService = async (options: Runtime.Options): Promise<Service> => {
  const managed = settle(await Effect.runPromiseExit(Runtime.make(options)))
  const started = await managed.runPromiseExit(Effect.runtime<Runtime.Services>())
  if (Exit.isFailure(started)) await managed.dispose()
  const runtime = settle(started)
  const calls = new Set<Promise<unknown>>()
  const iterations: EventIterator.OpenIterations = new Set()
  let isClosing = false
  let closed: Promise<void> | undefined

  const run = async <A, E extends ServiceError>(
    effect: Effect.Effect<A, E, Runtime.Services>
  ): Promise<A> => {
    if (isClosing) throw new ServiceClosed()
    const call = managed.runPromiseExit(effect)
    calls.add(call)
    const exit = await call
    calls.delete(call)
    return settle(exit)
  }

  const close = async () => {
    isClosing = true
    await Promise.all([...calls, EventIterator.endAll(iterations)])
    await managed.dispose()
  }

  return {
    createUser: (input) => run(Setup.createUser(input)),
    createGuild: (input) => run(Setup.createGuild(input)),
    createChannel: (input) => run(Setup.createChannel(input)),
    createRole: (input) => run(Setup.createRole(input)),
    saveMember: (input) => run(Setup.saveMember(input)),
    removeMember: (input) => run(Setup.removeMember(input)),
    createApplication: (input) => run(Setup.createApplication(input)),
    createWebhook: (input) => run(Setup.createWebhook(input)),
    issueBotToken: (input) => run(Setup.issueBotToken(input)),
    issueAdminKey: (input) => run(Setup.issueAdminKey(input)),
    revokeCredential: (input) => run(Setup.revokeCredential(input)),
    grantConsent: (input) => run(Operations.grantConsent(input)),
    redeemCode: (input) => run(Operations.redeemCode(input)),
    authenticateAccessToken: (input) => run(Operations.authenticateAccessToken(input)),
    listScheduledMessages: (input) => run(Operations.listScheduledMessages(input)),
    scheduleMessage: (input) => run(Operations.scheduleMessage(input)),
    editScheduledMessage: (input) => run(Operations.editScheduledMessage(input)),
    cancelScheduledMessage: (input) => run(Operations.cancelScheduledMessage(input)),
    searchGuildMembers: (input) => run(Operations.searchGuildMembers(input)),
    scheduleAccountDeletion: (input) => run(Operations.scheduleAccountDeletion(input)),
    cancelAccountDeletion: (input) => run(Operations.cancelAccountDeletion(input)),
    changeUserEmail: (input) => run(Operations.changeUserEmail(input)),
    executeCodeHostWebhook: (input) => run(WebhookOperations.executeCodeHostWebhook(input)),
    executeErrorTrackerWebhook: (input) => run(WebhookOperations.executeErrorTrackerWebhook(input)),
    updateWebhook: (input) => run(WebhookOperations.updateWebhook(input)),
    listMessages: (input) => run(Operations.listMessages(input)),
    events: (after = 0) =>
      EventIterator.iterate(
        () => Stream.unwrap(isClosing ? new ServiceClosed() : Effect.succeed(eventsAfter(after))),
        runtime,
        iterations
      ),
    runBackgroundWork: () => run(BackgroundWork.runOnce),
    mountHttp: (mountOptions) => run(Effect.flatMap(decodeOptions(MountOptions)(mountOptions), Mount.make)),
    close: () => closed ??= close()
  }
}
