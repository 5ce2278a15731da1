import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type { Effect } from "effect"
import type { ErrorWithHeaders } from "./replies/ErrorMapping.ts"
import type { Pieces } from "./replies/Reply.ts"

/*
 * The types of handlers, derived from the API definition. A missing handler, or one with a wrong result, does not
 * compile.
 */

type Group = HttpApiGroup.HttpApiGroup.Any
type Endpoint = HttpApiEndpoint.HttpApiEndpoint.Any

/** The caller that the group's credentials middleware provides. */
type Caller<G extends Group> = HttpApiGroup.HttpApiGroup.Provides<G> extends { readonly Type: infer A } ? A : undefined

/** The decoded parts of a request, and its caller. */
type Input<E extends Endpoint, G extends Group> =
  & Omit<HttpApiEndpoint.HttpApiEndpoint.Request<E>, "request">
  & { readonly caller: Caller<G> }

/** The result of a handler. Text is streamed in chunks. */
type Answer<Success> = [Success] extends [string] ? Pieces : Success

/** Handles the requests of an endpoint. */
type Handler<E extends Endpoint, G extends Group> = (input: Input<E, G>) => Effect.Effect<
  Answer<HttpApiEndpoint.HttpApiEndpoint.Success<E>>,
  HttpApiEndpoint.HttpApiEndpoint.Error<E> | HttpApiGroup.HttpApiGroup.Error<G> | ErrorWithHeaders | StorageError
>

type Endpoints<G extends Group> = HttpApiGroup.HttpApiGroup.Endpoints<G>

/** The handlers of a group, by endpoint name. */
export type Handlers<G extends Group> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints<G>>]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.WithName<Endpoints<G>, Name>,
    G
  >
}

/** The handlers of an API, by group name. */
export type HandlersOfApi<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? {
    readonly [Name in HttpApiGroup.HttpApiGroup.Name<Groups>]: Handlers<
      HttpApiGroup.HttpApiGroup.WithName<Groups, Name>
    >
  }
  : never

/** Declared as a method, so that a handler can be called with input whose type is only known to be decoded. */
interface Erased {
  handle(input: unknown): Effect.Effect<unknown, unknown>
}

/** Any handler. */
export type AnyHandler = Erased["handle"]
