import * as OpenApi from "@effect/platform/OpenApi"
import { Context } from "effect"

/** The id of an endpoint's operation in the OpenAPI document, from which generated clients take the names of functions. */
export const operationId = (
  { annotations, name }: { readonly annotations: Context.Context<never>; readonly name: string }
): string => Context.getOrElse(annotations, OpenApi.Identifier, () => name)
