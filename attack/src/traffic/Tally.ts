import { type Answer, outcomeOf } from "./HttpExchange.ts"

/** Counts the responses by status and code. */
export interface Tally {
  readonly add: (answer: Answer) => void
  readonly describe: () => string
  /** Responses that must never occur: 5xx other than 503. */
  readonly forbidden: () => ReadonlyArray<string>
}

export const make = (): Tally => {
  const counts = new Map<string, number>()
  const forbidden: Array<string> = []
  return {
    add: (answer) => {
      const outcome = outcomeOf(answer)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (answer.status >= 500 && answer.status !== 503) {
        forbidden.push(`${outcome} ${String(answer.headers["x-request-id"])}`)
      }
    },
    describe: () => Array.from(counts, ([outcome, count]) => `${count} × ${outcome}`).join(", "),
    forbidden: () => forbidden
  }
}
