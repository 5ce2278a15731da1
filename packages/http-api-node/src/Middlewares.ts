import {
  HttpApiBuilder,
  HttpApiMiddleware,
  type HttpApiSecurity,
  type HttpRouter,
  HttpServerRequest
} from "@effect/platform"
import { Context, Effect, Redacted } from "effect"

/** Any middleware. */
export type Tag = HttpApiMiddleware.TagClassAny

/** What there is at each request: itself, and what it takes to send or receive files. */
export type Provided = HttpRouter.HttpRouter.Provided | HttpRouter.HttpRouter.DefaultServices

/** What happens to a request on its way. */
export type Step<A> = Effect.Effect<A, unknown, Provided>

// What the platform's types hold every implementation of a middleware to, and its untyped map of services forgets.
const isStep = (implementation: unknown): implementation is Step<unknown> => Effect.isEffect(implementation)
const isSecured = (
  implementation: unknown
): implementation is Readonly<Record<string, (credential: unknown) => Step<unknown>>> =>
  typeof implementation === "object" && implementation !== null

const noCredential = Redacted.make("")

/** The credential that a request presents; an empty one where it presents none. */
const credential = (security: HttpApiSecurity.HttpApiSecurity): Step<unknown> => {
  if (security._tag !== "ApiKey" || security.in !== "header") return HttpApiBuilder.securityDecode(security)
  const name = security.key.toLowerCase()
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const value = headers[name]
    return value === undefined ? noCredential : Redacted.make(value)
  })
}

/** Tries the ways to present a credential one after the other: the first that is let in counts. */
const authenticate = (tag: HttpApiMiddleware.TagClassSecurityAny, implementation: unknown): Step<unknown> => {
  if (!isSecured(implementation)) throw new Error(`No implementation of the security middleware ${tag.key}`)
  const ways = Object.entries(tag.security).map(([name, security]) =>
    Effect.flatMap(credential(security), (presented) => implementation[name]?.(presented) ?? Effect.void)
  )
  return ways.reduce((before, way) => Effect.catchAll(before, () => way))
}

const stepOf = (tag: Tag, context: Context.Context<never>): Step<unknown> => {
  const implementation: unknown = Context.unsafeGet(context, tag)
  if (HttpApiMiddleware.isSecurity(tag)) return authenticate(tag, implementation)
  if (isStep(implementation)) return implementation
  throw new Error(`No implementation of the middleware ${tag.key}`)
}

/**
 * What follows with one more service. The fiber is the request's own and does nothing else afterwards, so the service is put
 * into its context and stays there, which is a fraction of what `Effect.provideService` costs.
 */
const provide = <A>(tag: Context.Tag<unknown, unknown>, service: unknown, next: Step<A>): Step<A> =>
  Effect.withFiberRuntime((fiber) => {
    fiber.currentContext.unsafeMap.set(tag.key, service)
    return next
  })

/**
 * The handler behind its middlewares, of which the last one meets the request first. One that is optional lets pass what it
 * fails on, without its service.
 */
export const wrap = <A>(tags: Iterable<Tag>, context: Context.Context<never>, handler: Step<A>): Step<A> => {
  let wrapped = handler
  for (const tag of tags) {
    const next = wrapped
    const step = stepOf(tag, context)
    const provides: Context.Tag<unknown, unknown> | undefined = tag.provides
    const proceed = (service: unknown) => provides === undefined ? next : provide(provides, service, next)
    wrapped = tag.optional
      ? Effect.matchEffect(step, { onFailure: () => next, onSuccess: proceed })
      : Effect.flatMap(step, proceed)
  }
  return wrapped
}
