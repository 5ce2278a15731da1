import { Clock } from "effect"

/** The real clock. What other processes do takes real time, even under a test clock. */
export const realTime = Clock.make()
