import { OpenApi } from "@effect/platform"
import { Api } from "./Api.ts"

/** The API as an OpenAPI 3.1 document. */
export const document = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
