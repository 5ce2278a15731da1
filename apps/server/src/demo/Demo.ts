import { Effect } from "effect"
import type { StorageConfiguration } from "../configuration/Configuration.ts"
export const prepare = (_configuration: StorageConfiguration, url: string) => Effect.succeed(url)
