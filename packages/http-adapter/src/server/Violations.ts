import { EmailAddressSchemaId } from "@community-messaging/domain/account/EmailAddress"
import { CodePointLengthSchemaId } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { NumberRangeSchemaId, WholeNumberSchemaId } from "@community-messaging/domain/shared-kernel/Integer"
import { SnowflakeFormatSchemaId, SnowflakeRangeSchemaId } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Option, type ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { DataUriSchemaId, DataUriSizeSchemaId } from "../webhooks/AvatarDataUri.ts"
import { ROOT, type Violation, type ViolationCode } from "../wire/Violation.ts"

/** The maximum number of violations in a response: enough for people, and bounded against abuse. */
const MAX_REPORTED = 100

/** The violation code of each refinement. Other refinements have the code `INVALID_FORMAT`. */
const CODE_OF_REFINEMENT = new Map<unknown, ViolationCode>([
  [SnowflakeFormatSchemaId, "INVALID_SNOWFLAKE_FORMAT"],
  [SnowflakeRangeSchemaId, "SNOWFLAKE_OUT_OF_RANGE"],
  [CodePointLengthSchemaId, "STRING_LENGTH_INVALID"],
  [NumberRangeSchemaId, "NUMBER_OUT_OF_RANGE"],
  [Schema.MaxItemsSchemaId, "TOO_MANY_ITEMS"],
  [EmailAddressSchemaId, "INVALID_EMAIL_FORMAT"],
  [DataUriSchemaId, "INVALID_IMAGE_FORMAT"],
  [DataUriSizeSchemaId, "IMAGE_TOO_LARGE"]
])

type Path = ReadonlyArray<PropertyKey>

const schemaIdOf = (ast: SchemaAST.AST): unknown => Option.getOrUndefined(SchemaAST.getSchemaIdAnnotation(ast))

const violation = (path: Path, code: ViolationCode, message: string): Violation => ({
  path: path.length === 0 ? ROOT : path.map(String).join("."),
  message,
  code
})

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

/** Returns the literals of an enumeration; none for other schemas. */
const literalsOf = (ast: SchemaAST.AST): Option.Option<ReadonlyArray<SchemaAST.LiteralValue>> => {
  const members = SchemaAST.isUnion(ast) ? ast.types.filter((member) => !isNull(member)) : [ast]
  const literals = members.flatMap((member) => SchemaAST.isLiteral(member) ? [member.literal] : [])
  return literals.length === members.length && !members.some(isNull) ? Option.some(literals) : Option.none()
}

const KINDS: { readonly [tag in SchemaAST.AST["_tag"]]?: string } = {
  StringKeyword: "a string",
  TemplateLiteral: "a string",
  NumberKeyword: "a number",
  BooleanKeyword: "a boolean",
  TupleType: "an array",
  TypeLiteral: "an object",
  ObjectKeyword: "an object"
}

/** Returns the expected type, as a phrase that follows "must be". */
const kindOf = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isUnion(ast)) return Array.from(new Set(ast.types.map(kindOf))).join(" or ")
  if (SchemaAST.isLiteral(ast)) return String(ast.literal)
  if (SchemaAST.isRefinement(ast)) return schemaIdOf(ast) === WholeNumberSchemaId ? "an integer" : kindOf(ast.from)
  if (SchemaAST.isTransformation(ast)) return kindOf(ast.from)
  if (SchemaAST.isSuspend(ast)) return kindOf(ast.f())
  return KINDS[ast._tag] ?? "of another kind"
}

const wrongKind = (ast: SchemaAST.AST, actual: unknown, path: Path): Violation =>
  Option.match(literalsOf(ast), {
    onSome: (literals) => {
      const code = typeof actual === typeof literals[0] ? "INVALID_ENUM_VALUE" : "INVALID_FORMAT"
      return violation(path, code, `must be one of: ${literals.join(", ")}`)
    },
    onNone: () => violation(path, "INVALID_FORMAT", `must be ${kindOf(ast)}`)
  })

const messageOf = (issue: ParseResult.Refinement | ParseResult.Transformation): string => {
  const message = Option.map(SchemaAST.getMessageAnnotation(issue.ast), (annotation) => annotation(issue))
  const text = Option.map(message, (given) => Predicate.hasProperty(given, "message") ? given.message : given)
  return Option.getOrElse(
    Option.filter(text, Predicate.isString),
    () => `must be ${kindOf(issue.ast)} of the right form`
  )
}

/** Whether the message of a refinement replaces the violations of what it refines. */
const overrides = (issue: ParseResult.Refinement): boolean =>
  Option.exists(SchemaAST.getMessageAnnotation(issue.ast), (annotation) => {
    const message = annotation(issue)
    return Predicate.hasProperty(message, "override") && message.override
  })

const isIssue = (
  issues: ParseResult.ParseIssue | ReadonlyArray<ParseResult.ParseIssue>
): issues is ParseResult.ParseIssue => "_tag" in issues

/** Returns the violations of the member of the union that the value most likely belongs to, or one for the union. */
const ofUnion = (
  ast: SchemaAST.Union,
  issues: ReadonlyArray<ParseResult.ParseIssue>,
  actual: unknown,
  path: Path
): ReadonlyArray<Violation> => {
  if (Option.isSome(literalsOf(ast))) return [wrongKind(ast, actual, path)]
  const closest = issues
    .map((issue) => ofIssue(issue, path))
    .find((violations) =>
      violations.some(({ code, path: at }) => code !== "INVALID_FORMAT" || at !== violation(path, code, "").path)
    )
  return closest ?? [wrongKind(ast, actual, path)]
}

const ofIssue = (issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<Violation> => {
  switch (issue._tag) {
    case "Pointer":
      return ofIssue(issue.issue, path.concat(issue.path))
    case "Composite": {
      const issues = isIssue(issue.issues) ? [issue.issues] : issue.issues
      return SchemaAST.isUnion(issue.ast)
        ? ofUnion(issue.ast, issues, issue.actual, path)
        : issues.slice(0, MAX_REPORTED).flatMap((part) => ofIssue(part, path))
    }
    case "Refinement":
      if (issue.kind === "Predicate" || overrides(issue)) {
        return [violation(path, CODE_OF_REFINEMENT.get(schemaIdOf(issue.ast)) ?? "INVALID_FORMAT", messageOf(issue))]
      }
      return issue.issue._tag === "Type" ? [wrongKind(issue.ast, issue.actual, path)] : ofIssue(issue.issue, path)
    case "Transformation":
      return issue.kind === "Transformation"
        ? [violation(path, "INVALID_FORMAT", messageOf(issue))]
        : ofIssue(issue.issue, path)
    case "Type":
      return [wrongKind(issue.ast, issue.actual, path)]
    case "Missing":
      return [violation(path, "REQUIRED", "is required")]
    case "Unexpected":
    case "Forbidden":
      return [violation(path, "INVALID_FORMAT", "is not allowed here")]
  }
}

/** Limits the number of reported violations. */
export const limited = (violations: ReadonlyArray<Violation>): ReadonlyArray<Violation> =>
  violations.slice(0, MAX_REPORTED)

/** Returns the violations of a body that could not be decoded. */
export const ofBody = (issue: ParseResult.ParseIssue): ReadonlyArray<Violation> => limited(ofIssue(issue, []))

/**
 * Returns the violations of parameters. The path of each violation is the parameter's name. A parameter that is not a list,
 * but repeated, is read as a list.
 */
export const ofParameters = (issue: ParseResult.ParseIssue): ReadonlyArray<Violation> =>
  ofBody(issue).map((found) => {
    const [name = found.path] = found.path.split(".")
    const isRepeated = found.path === name && found.code === "INVALID_FORMAT" &&
      Predicate.hasProperty(issue.actual, name) && Array.isArray(issue.actual[name])
    return { ...found, path: name, ...(isRepeated && { message: "must be given once" }) }
  })
