import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { administration } from "./accounts/Examples.ts"
import { Api } from "./Api.ts"
import { guildMembers } from "./guild-members/Examples.ts"
import { oauth2 } from "./oauth2/Examples.ts"
import { operationId } from "./OperationId.ts"
import { logs } from "./operations/Examples.ts"
import { scheduledMessages } from "./scheduled-messages/Examples.ts"
import { webhooks } from "./webhooks/Examples.ts"
import type { Example } from "./wire/Example.ts"

type Endpoints<G extends HttpApiGroup.HttpApiGroup.Any> = HttpApiGroup.HttpApiGroup.Endpoints<G>

type ExamplesOfGroup<G extends HttpApiGroup.HttpApiGroup.Any> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints<G>>]: Example
}

type ExamplesOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? {
    readonly [Name in HttpApiGroup.HttpApiGroup.Name<Groups>]: ExamplesOfGroup<
      HttpApiGroup.HttpApiGroup.WithName<Groups, Name>
    >
  }
  : never

/** The example of every operation, by group and endpoint. One that is missing does not compile. */
const examples: ExamplesOf<typeof Api> = { oauth2, scheduledMessages, guildMembers, administration, webhooks, logs }

const byGroup: Readonly<Record<string, Readonly<Record<string, Example>>>> = examples

const collect = (): ReadonlyMap<string, Example> => {
  const found = new Map<string, Example>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const example = byGroup[group.identifier]?.[endpoint.name]
      if (example !== undefined) found.set(operationId(endpoint), example)
    }
  })
  return found
}

/** The example of every operation, by operation id. */
export const byOperationId = collect()
