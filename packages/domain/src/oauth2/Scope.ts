import { Either, Schema } from "effect"

/** The known scopes (API gaps, OAuth2 consent). */
export const Scope = Schema.Literal("identify", "email", "guilds", "connections", "bot")
export type Scope = typeof Scope.Type

/** The requested scope is unknown, malformed or empty (RFC 6749, 4.1.2.1). */
export class InvalidScope extends Schema.TaggedError<InvalidScope>()("InvalidScope", {
  /** The first unknown scope; empty if the list has no scopes. */
  scope: Schema.String
}) {
  override get message(): string {
    return "A scope is unknown, or there is none."
  }
}

const isScope = (token: string): boolean => Scope.literals.some((scope) => scope === token)

/** Parses a space-separated list (RFC 6749, 3.3). Returns each scope once, in the order of `Scope`. */
export const parse = (list: string): Either.Either<ReadonlyArray<Scope>, InvalidScope> => {
  const tokens = list.split(" ").filter((token) => token !== "")
  const unknown = tokens.find((token) => !isScope(token))
  return tokens.length === 0 || unknown !== undefined
    ? Either.left(new InvalidScope({ scope: unknown ?? "" }))
    : Either.right(Scope.literals.filter((scope) => tokens.includes(scope)))
}
