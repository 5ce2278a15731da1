import { FastCheck } from "effect"

// Properties run with the same values each time. `npm run test:night` sets another seed and prints it.
FastCheck.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 20_150_101) })
