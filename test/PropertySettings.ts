import { FastCheck } from "effect"

// Properties run with the same values each time. `npm run test:night` sets another seed, which it prints, and more runs.
const positive = (name: string, otherwise: number): number => {
  const value = Number(process.env[name] ?? otherwise)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a positive integer.`)
  return value
}

FastCheck.configureGlobal({
  seed: positive("PROPERTY_SEED", 20_150_101),
  numRuns: positive("PROPERTY_RUNS", 100)
})
