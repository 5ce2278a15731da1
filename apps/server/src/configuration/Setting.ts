import { Options } from "@effect/cli"
import { Config, ConfigError, ConfigProvider, Effect, Either, Option } from "effect"

/** A thing that an operator may set, by an environment variable or by a flag of the command line. */
export interface Setting<A> {
  /** The environment variable. */
  readonly name: string
  readonly description: string
  /** The text that stands for it where nothing is set. */
  readonly fallback: string
  readonly config: Config.Config<A>
}

/** What was given on the command line: texts by the names of the environment variables they take the place of. */
export type Flags = ReadonlyMap<string, string>

/** The flag that goes with an environment variable: `DATA_DIR` and `--data-dir`. */
export const flagName = (name: string): string => name.toLowerCase().replaceAll("_", "-")

interface Described<A> {
  readonly name: string
  readonly description: string
  readonly fallback: string
  /** Reads the text; its left side says what the text must be. */
  readonly parse: (text: string) => Either.Either<A, string>
}

/** A blank text counts as not set. */
const parsed = <A>({ parse }: Described<A>) => (text: string): Either.Either<A, ConfigError.ConfigError> =>
  text.trim() === ""
    ? Either.left(ConfigError.MissingData([], "is blank"))
    : Either.mapLeft(
      parse(text.trim()),
      (requirement) => ConfigError.InvalidData([], `must be ${requirement}, not ${JSON.stringify(text)}`)
    )

const whenSet = <A>(described: Described<A>): Config.Config<A> =>
  Config.string().pipe(Config.mapOrFail(parsed(described)), Config.nested(described.name))

/** A setting that has the value of its fallback where nothing is set. */
export const make = <A>(described: Described<A>): Setting<A> => ({
  name: described.name,
  description: described.description,
  fallback: described.fallback,
  config: Config.withDefault(whenSet(described), Either.getOrThrow(parsed(described)(described.fallback)))
})

/** A setting without a value of its own where nothing is set: its fallback says in words what stands for it. */
export const makeOptional = <A>(described: Described<A>): Setting<Option.Option<A>> => ({
  name: described.name,
  description: described.description,
  fallback: described.fallback,
  config: Config.option(whenSet(described))
})

/** The flags that stand for those settings. */
export const flags = (settings: ReadonlyArray<Setting<unknown>>): Options.Options<Flags> =>
  Options.map(
    Options.all(settings.map(({ description, fallback, name }) =>
      Options.text(flagName(name)).pipe(
        Options.optional,
        Options.map(Option.map((text) => [name, text] as const)),
        Options.withDescription(`${description} Environment: ${name}. Default: ${fallback}.`)
      )
    )),
    (given) => new Map(given.flatMap(Option.toArray))
  )

/** The values of settings: a flag wins over the environment, the environment over the fallback. */
export const load = <A>(config: Config.Config<A>, given: Flags): Effect.Effect<A, ConfigError.ConfigError> =>
  Effect.configProviderWith((environment) =>
    ConfigProvider.fromMap(new Map(given)).pipe(ConfigProvider.orElse(() => environment)).load(config)
  )

/** What is wrong, in one line that names the variables. */
export const describeError: (error: ConfigError.ConfigError) => string = ConfigError.reduceWithContext(undefined, {
  andCase: (_, left, right) => `${left}; ${right}`,
  orCase: (_, left, right) => `${left}; ${right}`,
  invalidDataCase: (_, path, message) => `${path.join("_")} ${message}`,
  missingDataCase: (_, path, message) => `${path.join("_")} ${message}`,
  sourceUnavailableCase: (_, path, message) => `${path.join("_")} ${message}`,
  unsupportedCase: (_, path, message) => `${path.join("_")} ${message}`
})
