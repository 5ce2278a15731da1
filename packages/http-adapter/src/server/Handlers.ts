import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { Effect } from "effect"
import type { Pieces } from "./Reply.ts"

/*
 * What handlers are, by the definition of what they handle: a handler that is missing, or that answers something else, does
 * not compile.
 */

type Group = HttpApiGroup.HttpApiGroup.Any
type Endpoint = HttpApiEndpoint.HttpApiEndpoint.Any

/** Who makes a request: what the credentials of the group provide. */
type Caller<G extends Group> = HttpApiGroup.HttpApiGroup.Provides<G> extends { readonly Type: infer A } ? A : undefined

/** The decoded parts of a request, and who makes it. */
type Input<E extends Endpoint, G extends Group> =
  & Omit<HttpApiEndpoint.HttpApiEndpoint.Request<E>, "request">
  & { readonly caller: Caller<G> }

/** What a handler answers with. Text is sent piece by piece. */
type Answer<Success> = [Success] extends [string] ? Pieces : Success

/** Answers the requests to an endpoint. */
type Handler<E extends Endpoint, G extends Group> = (input: Input<E, G>) => Effect.Effect<
  Answer<HttpApiEndpoint.HttpApiEndpoint.Success<E>>,
  HttpApiEndpoint.HttpApiEndpoint.Error<E> | HttpApiGroup.HttpApiGroup.Error<G> | StorageError
>

type Endpoints<G extends Group> = HttpApiGroup.HttpApiGroup.Endpoints<G>

/** The handlers of a group, by the names of its endpoints. */
export type Handlers<G extends Group> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints<G>>]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.WithName<Endpoints<G>, Name>,
    G
  >
}

/** The handlers of an API, by the names of its groups. */
export type HandlersOfApi<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? {
    readonly [Name in HttpApiGroup.HttpApiGroup.Name<Groups>]: Handlers<
      HttpApiGroup.HttpApiGroup.WithName<Groups, Name>
    >
  }
  : never

/** Declared as a method, a handler may be called by those who know of its input only that the definition decoded it. */
interface Erased {
  handle(input: unknown): Effect.Effect<unknown, unknown>
}

/** Any handler. */
export type AnyHandler = Erased["handle"]
