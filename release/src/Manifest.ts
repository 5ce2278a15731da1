import { Schema } from "effect"

type Target = string | { readonly [condition: string]: Target }
const Target: Schema.Schema<Target> = Schema.Union(
  Schema.String,
  Schema.Record({ key: Schema.String, value: Schema.suspend(() => Target) })
)

const Targets = Schema.Record({ key: Schema.String, value: Target })
const Strings = Schema.Record({ key: Schema.String, value: Schema.String })

/** The fields of a package.json that a release reads or changes. All others are packed as they are. */
const Manifest = Schema.Struct({
  name: Schema.String,
  version: Schema.optionalWith(Schema.String, { default: () => "0.0.0" }),
  private: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  exports: Schema.optionalWith(Targets, { default: () => ({}) }),
  files: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  dependencies: Schema.optionalWith(Strings, { default: () => ({}) }),
  devDependencies: Schema.optionalWith(Strings, { default: () => ({}) }),
  peerDependencies: Schema.optionalWith(Strings, { default: () => ({}) }),
  repository: Schema.optional(Strings)
}, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
export type Manifest = typeof Manifest.Type

export const parse = Schema.decodeSync(Schema.parseJson(Manifest))

/** The condition under which the packages of this repository find one another's sources. */
const SOURCES = "development"

const withoutSources = (target: Target): Target =>
  typeof target === "string" ? target : Object.fromEntries(
    Object.entries(target)
      .filter(([condition]) => condition !== SOURCES)
      .map(([condition, inner]) => [condition, withoutSources(inner)])
  )

/** Fields for this repository alone. */
const KEPT_HERE = new Set(["private", "scripts", "devDependencies"])

/**
 * The published package.json. It has no condition `development`: bundlers set it too, and would resolve to the sources.
 * `repository` is that of the root, if it has one.
 */
export const published = (manifest: Manifest, root: Manifest, directory: string): Manifest => ({
  ...manifest,
  ...Object.fromEntries([...KEPT_HERE].map((field) => [field, undefined])),
  ...(root.repository !== undefined && { repository: { ...root.repository, directory } }),
  publishConfig: { access: "public" },
  exports: {
    ...Object.fromEntries(Object.entries(manifest.exports).map(([path, target]) => [path, withoutSources(target)])),
    "./package.json": "./package.json"
  },
  files: [...manifest.files, "CHANGELOG.md"]
})
