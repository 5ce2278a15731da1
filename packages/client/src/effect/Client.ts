import { Clock, Context, Effect, Layer, Random, Redacted, Runtime, Stream } from "effect"
import { call as send } from "../Call.ts"
import { type ApiErrorOf, type Failure, isFailure, type TransportError } from "../ClientError.ts"
import { type CallOptions as PromiseCallOptions, type ClientOptions, settingsOf } from "../ClientOptions.ts"
import { eventStream } from "../EventStream.ts"
import { type Arguments, methodsOf } from "../Methods.ts"
import type { ErrorCode, Operations, ProtocolErrorCode } from "../Operations.ts"
import type { RequestParts } from "../OutgoingRequest.ts"
import type { Timing } from "../Timing.ts"

/** The credentials of the caller. An operation needs one of them, or the token of a webhook in its path. */
export interface Credentials {
  /** The token of a bot account, without `Bot`. */
  readonly bot?: Redacted.Redacted | undefined
  /** An admin key, without `Admin`. */
  readonly admin?: Redacted.Redacted | undefined
}

/** The options of a client. Timers, time and random numbers come from Effect's `Clock` and `Random`. */
export interface Options extends Omit<ClientOptions, "credentials" | "timing"> {
  readonly credentials?: Credentials | undefined
}

/** The options of one call. Interruption ends it. */
type CallOptions = Omit<PromiseCallOptions, "signal">

interface Signature {
  readonly request: unknown
  readonly success: unknown
  readonly errors: ErrorCode
}

type ErrorsOf<Of extends Signature> = ApiErrorOf<Of["errors"] | ProtocolErrorCode> | TransportError

type Method<Of extends Signature> = (
  ...args: Arguments<Of["request"], CallOptions>
) => Of["success"] extends AsyncIterable<infer Event> ? Stream.Stream<Event, ErrorsOf<Of>>
  : Effect.Effect<Of["success"], ErrorsOf<Of>>

type Group<Of> = { readonly [Name in keyof Of]: Of[Name] extends Signature ? Method<Of[Name]> : never }

/**
 * The operations of the API by group, such as `client.webhooks.update(request)`. They fail with the errors of the
 * operation, by their codes, or with a `TransportError`. Wrong use is a defect.
 */
export type Operate = { readonly [Name in keyof Operations]: Group<Operations[Name]> }

/** The timers, the clock and the random numbers of the runtime. */
const timing: Effect.Effect<Timing> = Effect.map(Effect.runtime(), (runtime) => ({
  sleep: async (milliseconds, signal) => {
    await Runtime.runPromiseExit(runtime)(Effect.sleep(milliseconds), { signal })
  },
  now: () => Runtime.runSync(runtime)(Clock.currentTimeMillis),
  random: () => Runtime.runSync(runtime)(Random.next)
}))

/** A rejection of the promise is a failure of the call, or else a defect. Interruption aborts the signal. */
const fromPromise = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.catchAllDefect(
    Effect.promise(run),
    (error) => isFailure(error) ? Effect.fail(error) : Effect.die(error)
  )

/** A stream of the events, whose connection ends with its scope. Another error than a failure is a defect. */
const fromEvents = (open: () => AsyncIterable<unknown>): Stream.Stream<unknown, Failure> =>
  Stream.suspend(() => Stream.fromAsyncIterable(open(), (error) => error)).pipe(
    Stream.catchAll((error) => isFailure(error) ? Stream.fail(error) : Stream.die(error))
  )

const plainCredentials = ({ admin, bot }: Credentials = {}): ClientOptions["credentials"] => ({
  ...(bot !== undefined && { bot: Redacted.value(bot) }),
  ...(admin !== undefined && { admin: Redacted.value(admin) })
})

function operate(options: Options, time: Timing): Operate
// The types of the methods are those of the table, which a test compares with the definition.
function operate({ credentials, ...options }: Options, time: Timing): object {
  const settings = settingsOf({ ...options, credentials: plainCredentials(credentials) ?? {}, timing: time })
  return methodsOf((operation) =>
    operation.response === "events"
      ? (request: RequestParts = {}, call: CallOptions = {}) =>
        fromEvents(() => eventStream(settings, operation, request, call))
      : (request: RequestParts = {}, call: CallOptions = {}) =>
        fromPromise((signal) => send(settings, operation, request, { ...call, signal }))
  )
}

/** Makes a client of the API. A wrong option is a defect. */
export const make = (options: Options): Effect.Effect<Operate> => Effect.map(timing, (time) => operate(options, time))

/** The client of the API. */
export class Client extends Context.Tag("@community-messaging/client/Client")<Client, Operate>() {}

/** Provides a client of the API. */
export const layer = (options: Options): Layer.Layer<Client> => Layer.effect(Client, make(options))
