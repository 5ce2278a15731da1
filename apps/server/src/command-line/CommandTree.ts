import { type Command, CommandDescriptor as Descriptor, type Usage } from "@effect/cli"
import { Option, Predicate } from "effect"

/** A command with its subcommands and options, from the parser. */
export interface CommandTree {
  readonly subcommands: ReadonlyMap<string, CommandTree>
  /** The options by name, such as `--json`, and whether a value follows. */
  readonly options: ReadonlyMap<string, "flag" | "value">
}

type NamedOption = readonly [name: string, kind: "flag" | "value"]

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
    case "Repeated":
      return optionsOf(usage.usage)
    case "Alternation":
    case "Concat":
      return [...optionsOf(usage.left), ...optionsOf(usage.right)]
  }
}

const isDescriptor = (value: unknown): value is Descriptor.Command<unknown> =>
  Predicate.hasProperty(value, Descriptor.TypeId)

/**
 * The descriptors of the subcommands. The parser's own `getSubcommands` omits their subcommands, so this reads its internal
 * form: a command with a handler is a `Map` of its `command`, and one with subcommands has `children`.
 */
const childrenOf = (descriptor: unknown): ReadonlyArray<Descriptor.Command<unknown>> => {
  if (Predicate.hasProperty(descriptor, "command")) return childrenOf(descriptor.command)
  return Predicate.hasProperty(descriptor, "children") && Array.isArray(descriptor.children)
    ? descriptor.children.filter(isDescriptor)
    : []
}

const ofDescriptor = (descriptor: Descriptor.Command<unknown>): CommandTree => ({
  subcommands: new Map(
    childrenOf(descriptor).flatMap((child) =>
      Array.from(Descriptor.getNames(child), (name) => [name, ofDescriptor(child)] as const)
    )
  ),
  options: new Map(optionsOf(Descriptor.getUsage(descriptor)))
})

/** Returns the tree of a command. */
export const make = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>): CommandTree =>
  ofDescriptor(command.descriptor)

/** Returns the options of the command and of all commands below it. */
export const allOptions = ({ options, subcommands }: CommandTree): ReadonlyMap<string, "flag" | "value"> =>
  new Map([...options, ...Array.from(subcommands.values(), (tree) => [...allOptions(tree)]).flat()])
