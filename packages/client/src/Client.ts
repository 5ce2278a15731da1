import { call } from "./Call.ts"
import { type CallOptions, type ClientOptions, type Settings, settingsOf } from "./ClientOptions.ts"
import { eventStream } from "./EventStream.ts"
import { type Arguments, methodsOf } from "./Methods.ts"
import type { Operation } from "./Operation.ts"
import type { Operations } from "./Operations.ts"
import type { RequestParts } from "./OutgoingRequest.ts"

/** The request and the response of an operation. */
interface Signature {
  readonly request: unknown
  readonly success: unknown
}

type Method<Of extends Signature> = (
  ...args: Arguments<Of["request"], CallOptions>
) => Of["success"] extends AsyncIterable<unknown> ? Of["success"] : Promise<Of["success"]>

/** The methods of a group of operations. */
type Group<Of> = { readonly [Name in keyof Of]: Of[Name] extends Signature ? Method<Of[Name]> : never }

/**
 * The operations of the API by group, such as `client.webhooks.update(request, options)`. A method rejects with a
 * `Failure`, with a `TypeError` if it is used in a wrong way, or with the reason of its signal.
 */
export type Client = { readonly [Name in keyof Operations]: Group<Operations[Name]> }

const methodOf = (settings: Settings) => (operation: Operation) => {
  const method = operation.response === "events" ? eventStream : call
  return (request: RequestParts = {}, options: CallOptions = {}) => method(settings, operation, request, options)
}

/** Makes a client of the API for browsers and Node. Throws a `TypeError` if an option is wrong. */
export function createClient(options: ClientOptions): Client
// The types of the methods are those of the table, which a test compares with the definition. Responses are not checked
// against them: the server does that.
export function createClient(options: ClientOptions): object {
  return methodsOf(methodOf(settingsOf(options)))
}
