import { Config, Effect, Either, Option } from "effect"
import * as Setting from "./Setting.ts"

/** A setting with its value in force. */
export interface EffectiveSetting {
  /** The environment variable. */
  readonly name: string
  /** The text of the value, or the default; `********` in place of a secret. */
  readonly value: string
  readonly source: "flag" | "environment" | "default"
  /** The problem of the value, with which the program does not start. */
  readonly problem: Option.Option<string>
}

/** Returns the setting with its value in force with these flags. A blank value counts as not set. */
export const of = (
  setting: Setting.Setting<unknown>,
  flags: Setting.Flags
): Effect.Effect<EffectiveSetting> =>
  Effect.gen(function*() {
    const { fallback, name, secret = false } = setting.about
    const isSet = (text: string) => text.trim() !== ""
    const flag = Option.fromNullable(flags.get(name))
    const variable = yield* Effect.orElseSucceed(
      Effect.configProviderWith((environment) => environment.load(Config.option(Config.string(name)))),
      Option.none
    )
    const given = Option.filter(Option.orElse(flag, () => variable), isSet)
    const loaded = yield* Effect.either(Setting.load(setting, flags))
    const shown = (text: string) => secret ? Setting.MASK : Setting.withoutUserInfo(text.trim())
    return {
      name,
      value: Option.match(given, { onNone: () => fallback, onSome: shown }),
      source: Option.isNone(given) ? "default" : Option.isSome(flag) ? "flag" : "environment",
      problem: Option.map(Either.getLeft(loaded), Setting.describeError)
    }
  })
