import * as Command from "@effect/cli/Command"
import { Config, Console, Effect, Either, Option } from "effect"
import { ServerConfiguration, serverFlags, SETTINGS } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import { CommandFailed } from "./Failure.ts"
import { jsonFlag } from "./Flags.ts"
import * as Json from "./Json.ts"
import { table } from "./Table.ts"

/** Returns the setting with its value in force with these flags. A blank value counts as not set. */
const inForce = (setting: Setting.Setting<unknown>, flags: Setting.Flags) =>
  Effect.gen(function*() {
    const { fallback, name, secret = false } = setting.about
    const flag = flags.get(name)
    const variable = yield* Effect.orElseSucceed(
      Effect.configProviderWith((environment) => environment.load(Config.string(name))),
      () => ""
    )
    const given = (flag ?? variable).trim()
    const loaded = yield* Effect.either(Setting.load(setting, flags))
    return {
      name,
      value: given === "" ? fallback : secret ? Setting.MASK : Setting.withoutUserInfo(given),
      source: given === "" ? "default" : flag === undefined ? "environment" : "flag",
      problem: Option.map(Either.getLeft(loaded), Setting.describeError)
    }
  })

/** The command `config`. `common` are the flags that all commands have. */
export const make = (common: Setting.Flags) =>
  Command.make(
    "config",
    { json: jsonFlag, flags: serverFlags },
    ({ flags, json }) =>
      Effect.gen(function*() {
        const given = new Map([...common, ...flags])
        const settings = yield* Effect.forEach(SETTINGS, (setting) => inForce(setting, given))
        yield* json
          ? Json.print(settings.map((setting) => ({ ...setting, problem: Option.getOrNull(setting.problem) })))
          : Console.log(table([
            ["SETTING", "VALUE", "FROM"],
            ...settings.map(({ name, source, value }) => [name, value, source])
          ]))
        const ofEach = settings.flatMap(({ problem }) => Option.toArray(problem))
        if (ofEach.length > 0) return yield* new CommandFailed({ message: ofEach.join("; ") })
        // Fails with problems of several settings together, such as a missing one that another one requires.
        yield* Setting.load(ServerConfiguration, given)
      })
  ).pipe(
    Command.withDescription(
      "Show the settings, and where each comes from. A default that follows from other settings is shown in words. Secrets are masked."
    )
  )
