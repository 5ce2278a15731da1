/** The finding of a check. */
export interface Finding {
  /** The name of the check, such as `disk`. */
  readonly check: string
  readonly level: "ok" | "warning" | "problem"
  readonly found: string
  /** What the operator should do; empty if nothing. */
  readonly advice: string
}

/** All is well. */
export const ok = (check: string, found: string): Finding => ({ check, level: "ok", found, advice: "" })

const finding = (level: Finding["level"]) => (check: string, found: string, advice: string): Finding => ({
  check,
  level,
  found,
  advice
})

/** The service works, but the operator should look at this. */
export const warning = finding("warning")

/** The service does not work, or not as it should. */
export const problem = finding("problem")
