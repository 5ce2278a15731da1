import * as Command from "@effect/cli/Command"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import type * as Usage from "@effect/cli/Usage"
import { Option } from "effect"

/** A command with its subcommands and options. */
export interface CommandTree {
  readonly subcommands: ReadonlyMap<string, CommandTree>
  /** The options by name, such as `--json`. */
  readonly options: ReadonlyMap<string, OptionKind>
}

/** Whether a value follows an option, and whether it may be given more than once. */
export type OptionKind = "flag" | "value" | "values"

type NamedOption = readonly [name: string, kind: OptionKind]

const optionsOf = (usage: Usage.Usage): ReadonlyArray<NamedOption> => {
  switch (usage._tag) {
    case "Empty":
    case "Mixed":
      return []
    case "Named": {
      const kind = Option.isSome(usage.acceptedValues) ? "value" : "flag"
      // The names of commands and arguments are named usages, too.
      return usage.names.flatMap((name): ReadonlyArray<NamedOption> => name.startsWith("-") ? [[name, kind]] : [])
    }
    case "Optional":
      return optionsOf(usage.usage)
    case "Repeated":
      return optionsOf(usage.usage).map(([name]) => [name, "values"])
    case "Alternation":
    case "Concat":
      return [...optionsOf(usage.left), ...optionsOf(usage.right)]
  }
}

/** The subcommands of a command: those that the parser returns have no subcommands. */
const subcommandsOf = new WeakMap<Descriptor.Command<unknown>, ReadonlyArray<Descriptor.Command<unknown>>>()

/** Adds subcommands to a command whose description it has already. */
export const withSubcommands =
  <const Subcommands extends Parameters<typeof Command.withSubcommands>[1]>(subcommands: Subcommands) =>
  <Name extends string, R, E, A>(self: Command.Command<Name, R, E, A>) => {
    const command = Command.withSubcommands(self, subcommands)
    subcommandsOf.set(command.descriptor, subcommands.map(({ descriptor }) => descriptor))
    return command
  }

const ofDescriptor = (descriptor: Descriptor.Command<unknown>): CommandTree => ({
  subcommands: new Map(
    (subcommandsOf.get(descriptor) ?? []).flatMap((subcommand) =>
      Array.from(Descriptor.getNames(subcommand), (name) => [name, ofDescriptor(subcommand)] as const)
    )
  ),
  options: new Map(optionsOf(Descriptor.getUsage(descriptor)))
})

/** Returns the tree of a command. */
export const make = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>): CommandTree =>
  ofDescriptor(command.descriptor)

/** Returns the options of the command and of all commands below it. */
export const allOptions = ({ options, subcommands }: CommandTree): ReadonlyMap<string, OptionKind> =>
  new Map([...options, ...Array.from(subcommands.values(), (tree) => [...allOptions(tree)]).flat()])
