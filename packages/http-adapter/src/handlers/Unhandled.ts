import type { HttpApi, HttpApiBuilder, HttpApiGroup } from "@effect/platform"
import type { Api } from "../definition/Api.ts"

type FromApi<A, Name extends string> = A extends HttpApi.HttpApi<string, infer Groups, infer E, infer R>
  ? HttpApiBuilder.Handlers.FromGroup<E, R, HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
  : never

/** The group of that name while none of its endpoints is handled: what the handlers are added to, whatever interprets them. */
export type Unhandled<Name extends string> = FromApi<typeof Api, Name>
