import type { Violation } from "./Violation.ts"

/** An example of an operation, for the OpenAPI document: a request, its response, and the violations of a wrong request. */
export interface Example {
  /** The parameters of the path, the query and the header, by name. */
  readonly parameters?: Readonly<Record<string, string | number | ReadonlyArray<string>>>
  /** The body as it is sent. Absent if there is none. */
  readonly request?: unknown
  /** The resource, or the text. Absent if there is none. */
  readonly response?: unknown
  /** The violations of a request with some mistakes. */
  readonly violations: ReadonlyArray<Violation>
}
