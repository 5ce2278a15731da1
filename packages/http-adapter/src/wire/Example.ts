import type { Violation } from "./Violation.ts"

/** An example of an operation, for the OpenAPI document: a request, what the server answers, and what a wrong one violates. */
export interface Example {
  /** The parameters of the path, the query and the header, by name. */
  readonly parameters?: Readonly<Record<string, string | number | ReadonlyArray<string>>>
  /** The body as it is sent. Left out where there is none. */
  readonly request?: unknown
  /** The resource, or the text. Left out where there is none. */
  readonly response?: unknown
  /** What a request with some mistakes violates. */
  readonly violations: ReadonlyArray<Violation>
}
