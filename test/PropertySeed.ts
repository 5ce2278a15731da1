import { FastCheck } from "effect"

// Properties run with the same values each time. `npm run test:night` sets another seed, which it prints, and more runs.
FastCheck.configureGlobal({
  seed: Number(process.env["PROPERTY_SEED"] ?? 20_150_101),
  numRuns: Number(process.env["PROPERTY_RUNS"] ?? 100)
})
