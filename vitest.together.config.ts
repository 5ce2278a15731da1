import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { COMPILED, compiledModules } from "./test/CompiledModules.ts"
import { LATE_OPTIMISATION } from "./test/LateOptimisation.ts"
import { recordedHttpSuite } from "./test/RecordedHttpSuite.ts"
import packages, { projects } from "./vitest.config.ts"

/**
 * The tests that take longest, by the beginning of their path, those that wait between those that do not: if all workers wait,
 * the processors do, too.
 */
const LONGEST = [
  "packages/storage-sqlite/test/StorageContract",
  "packages/storage-postgres/test/Resilience",
  "packages/storage-postgres/test/StorageContract",
  "apps/server/test/program/",
  "apps/server/test/cluster/KilledServer",
  "apps/server/test/browser/",
  "apps/server/test/http/",
  "conformance/test/DiscordRest",
  "packages/storage-memory/test/StorageMemory",
  "apps/server/test/cluster/Cluster",
  "conformance/test/",
  "packages/storage-postgres/test/worker/",
  "release/test/",
  "apps/server/test/composed/Settings",
  "attack/test/",
  "apps/server/test/soak/",
  "apps/server/test/demo/",
  "cluster/test/",
  "apps/server/test/command-line/CommandLine",
  "apps/server/test/composed/",
  "apps/server/test/readme/PageCommands",
  "apps/server/test/cluster/",
  "packages/domain-contract/test/",
  "packages/storage-postgres/test/"
]

/** Begins with the tests that take longest, so that at the end no processor waits for another one. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((beginning) => moduleId.startsWith(`${this.ctx.config.root}/${beginning}`))
      return index === -1 ? LONGEST.length : index
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((self, that) => rank(self) - rank(that))
  }
}

const { test: { projects: _, ...test } = {}, ...vite } = packages

/**
 * All projects as one, for `npm test`: each worker loads the modules that they share once, and nobody waits for the last test
 * of a project. The tests run over the compiled modules, as the packages have them.
 */
export default mergeConfig(
  { ...vite, test },
  defineConfig({
    plugins: [compiledModules, recordedHttpSuite],
    test: {
      include: projects.flatMap(({ include }) => include),
      globalSetup: [...new Set(projects.flatMap(({ globalSetup }) => globalSetup))],
      server: { deps: { external: [COMPILED] } },
      // Tests allocate much and keep little: with a young generation four times as large, they take 6 % less processor time.
      poolOptions: {
        forks: { execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64", ...LATE_OPTIMISATION] }
      },
      // A test of processes in real time may fail where the machine is busy: it runs once more, and the report says so.
      retry: 1,
      sequence: { sequencer: LongestFirst }
    }
  })
)
