// npm run test:mutation -- PART, or PART/FOLDER for one folder of its sources, such as domain/oauth2.

import { spawnSync } from "node:child_process"

const { status } = spawnSync("stryker", ["run"], {
  env: { ...process.env, MUTATION_PART: process.argv[2] },
  stdio: "inherit"
})
process.exitCode = status ?? 1
