import * as Options from "@effect/cli/Options"
import { Config, ConfigError, ConfigProvider, Effect, Either, Option } from "effect"

/** The flags of the command line: values by the names of the environment variables that they override. */
export type Flags = ReadonlyMap<string, string>

/** Returns the flag of an environment variable: `data-dir` for `DATA_DIR`. */
export const flagName = (name: string): string => name.toLowerCase().replaceAll("_", "-")

/** What is known about a setting: its environment variable, and its default as text. */
interface About {
  readonly name: string
  readonly description: string
  readonly fallback: string
  /** Whether the value must not be shown. Default: false. */
  readonly secret?: boolean
}

/** A setting of the server: an environment variable or a command line flag. */
export type Setting<A> = Config.Config<A> & { readonly about: About }

interface Described<A> extends About {
  /** Parses the text. The left side describes a valid text. */
  readonly parse: (text: string) => Either.Either<A, string>
}

/** The text in place of a secret. */
export const MASK = "********"

/**
 * Replaces user and password of a URL, which are secrets in every setting. A password that is not encoded may contain any
 * character, so all text up to the last `@` is replaced.
 */
export const withoutUserInfo = (text: string): string => text.replace(/(\w:\/\/).*@/s, `$1${MASK}@`)

/** Parses a text. A blank text counts as not set. */
const parsed =
  <A>({ parse, secret = false }: Described<A>) => (text: string): Either.Either<A, ConfigError.ConfigError> =>
    text.trim() === ""
      ? Either.left(ConfigError.MissingData([], "is blank"))
      : Either.mapLeft(
        parse(text.trim()),
        (requirement) =>
          ConfigError.InvalidData(
            [],
            `must be ${requirement}${secret ? "" : `, not ${JSON.stringify(withoutUserInfo(text))}`}`
          )
      )

const whenSet = <A>(described: Described<A>): Config.Config<Option.Option<A>> =>
  Config.option(Config.mapOrFail(Config.string(), parsed(described)))

const named = <A>(about: About, config: Config.Config<A>): Setting<A> =>
  Object.assign(Config.nested(config, about.name), { about })

/** A setting with a default value: its fallback. */
export const make = <A>(described: Described<A>): Setting<A> =>
  // The fallback is parsed when it is used: at a wrong time of the clock, it may be invalid.
  named(
    described,
    Config.mapOrFail(
      whenSet(described),
      Option.match({ onNone: () => parsed(described)(described.fallback), onSome: Either.right })
    )
  )

/** An optional setting. Its fallback describes the default in words. */
export const makeOptional = <A>(described: Described<A>): Setting<Option.Option<A>> =>
  named(described, whenSet(described))

/** Returns the flags of the settings. */
export const flags = (settings: ReadonlyArray<Setting<unknown>>): Options.Options<Flags> =>
  Options.map(
    Options.all(settings.map(({ about: { description, fallback, name } }) =>
      Options.text(flagName(name)).pipe(
        Options.optional,
        Options.map(Option.map((text) => [name, text] as const)),
        Options.withDescription(`${description} Environment: ${name}. Default: ${fallback}.`)
      )
    )),
    (given) => new Map(given.flatMap(Option.toArray))
  )

/** Loads the values of settings. A flag overrides the environment, the environment overrides the fallback. */
export const load = <A>(config: Config.Config<A>, given: Flags): Effect.Effect<A, ConfigError.ConfigError> =>
  Effect.configProviderWith((environment) => {
    // An empty variable of a script would otherwise lead to other data than the one that it names.
    const [blank] = Array.from(given).find(([, text]) => text.trim() === "") ?? []
    return blank === undefined
      ? ConfigProvider.fromMap(new Map(given)).pipe(ConfigProvider.orElse(() => environment)).load(config)
      : Effect.fail(ConfigError.InvalidData([blank], `is empty: --${flagName(blank)} needs a value`))
  })

/** Describes a configuration error in one line with the names of the variables. */
export const describeError = (error: ConfigError.ConfigError): string =>
  error._op === "And" || error._op === "Or"
    ? `${describeError(error.left)}; ${describeError(error.right)}`
    : `${error.path.join("_")} ${error.message}`
