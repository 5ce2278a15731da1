// Who may import whom: the names a package's sources may import besides their own relative files.
// Everything else is forbidden to them, so a new package is closed until it stands here.
const domain = "@community-messaging/domain/**"
const compiledSchema = "@community-messaging/compiled-schema/**"
const eventLoop = "@community-messaging/event-loop/**"
const jsonReader = "@community-messaging/json-reader/**"
const storageSql = "@community-messaging/storage-sql/**"
const memberIndex = "@community-messaging/member-index/**"
const importable = {
  domain: ["effect"],
  "platform-node": ["effect", domain, "node:*", "sharp"],
  "domain-contract": ["effect", domain, "@community-messaging/storage-memory/**", "@effect/vitest", "vitest"],
  "compiled-schema": ["effect"],
  "event-loop": ["effect"],
  "json-reader": ["effect", "node:buffer"],
  "member-index": ["effect", domain, eventLoop],
  "storage-memory": ["effect", domain],
  "storage-sql": ["effect", domain, compiledSchema],
  "storage-sqlite": [
    "effect",
    domain,
    eventLoop,
    memberIndex,
    storageSql,
    "node:*",
    "@effect/experimental/Reactivity",
    "@effect/sql-sqlite-node/*",
    "better-sqlite3"
  ],
  "storage-postgres": [
    "effect",
    domain,
    memberIndex,
    storageSql,
    "node:*",
    "pg"
  ],
  "http-adapter": [
    "effect",
    domain,
    compiledSchema,
    eventLoop,
    jsonReader,
    "@effect/platform/*",
    "node:buffer",
    "node:crypto",
    "node:http",
    "node:net",
    "node:querystring",
    "node:stream",
    "node:util",
    "node:zlib"
  ],
  client: [],
  service: [
    "effect",
    domain,
    "@community-messaging/http-adapter/**",
    jsonReader,
    "@community-messaging/platform-node/**",
    "@community-messaging/storage-memory/**",
    "@community-messaging/storage-sqlite/**",
    "node:http"
  ]
}

// Within domain: the folders that a folder may import, besides shared-kernel. They import in one direction, so that each
// is read with those below it alone. A folder that does not stand here may import none.
const domainFolders = {
  "shared-kernel": [],
  "audit": [],
  "account": ["audit"],
  "access": ["account", "audit"],
  "guild": ["account"],
  "member-search": ["account", "guild"],
  "message": ["account", "guild"],
  "webhook": ["access", "audit", "guild", "message"],
  "oauth2": ["access", "account", "guild"],
  "scheduled-message": ["account", "guild", "message"],
  "account-deletion": ["access", "account", "guild", "oauth2", "scheduled-message"],
  "event": ["account", "guild", "message", "oauth2", "scheduled-message", "webhook"],
  "background-work": ["account-deletion", "event", "oauth2", "scheduled-message", "webhook"]
}

// Within http-adapter: whoever writes a client imports the definition alone.
const definition = {
  files: [
    "Api",
    "OpenApiDocument",
    "ResponseHeaders",
    "*/Api",
    "*/Examples",
    "*/*Resource",
    "webhooks/AvatarDataUri",
    "wire/*"
  ].map((name) => `packages/http-adapter/src/${name}.ts`),
  importable: [
    "effect",
    domain,
    compiledSchema,
    "@community-messaging/json-reader/Excerpt",
    "@effect/platform/*"
  ],
  forbidden: [
    "**/server/**",
    "**/AuthorisedPage.ts",
    "**/AvatarContentCheck.ts",
    "**/Handlers.ts",
    "**/HttpAdapter.ts",
    "**/*Repository"
  ]
}

// Within server of http-adapter: the folders that a folder may import, besides wire. What stands in server itself is the path
// of a request, which may import all of them and which none of them imports.
const serverFolders = {
  "replies": [],
  "rate-limits": ["replies"],
  "bodies": ["rate-limits", "replies"],
  "connections": ["bodies", "rate-limits", "replies"]
}

// The patterns read like a .gitignore: the last match decides. Do not turn them into regexes: one with look-ahead never
// fires, and nothing tells. test/Lint.system.test.ts proves that these do.
const onlyImport = (files, names, forbidden = [], relative = ["./**", "../**"]) => ({
  files,
  rules: {
    "no-restricted-imports": ["error", {
      patterns: [{
        group: [
          "**",
          ...relative.map((path) => `!${path}`),
          ...names.map((name) => `!${name}`),
          "effect/*",
          "**/src/**",
          "**/dist/**",
          ...forbidden
        ],
        message: `Only these may be imported here: ${[...relative, ...names].join(", ")}.`
      }]
    }]
  }
})

/** The files of the domain may import files of these folders, and of no other folder. */
const onlyImportFolders = (files, folders) =>
  onlyImport(files, importable.domain, [
    "**/UseCases.ts",
    "**/StoragePorts.ts",
    ...Object.keys(domainFolders).filter((folder) => !folders.includes(folder)).map((folder) => `**/${folder}/**`)
  ])

/** The files of a folder in server may import files of these folders, and of wire. */
const onlyImportServerFolders = (folder, folders) =>
  onlyImport(
    [`packages/http-adapter/src/server/${folder}/**`],
    importable["http-adapter"],
    [],
    ["./**", "../../wire/**", ...folders.map((below) => `../${below}/**`)]
  )

export default {
  // The programs of conformance import what is generated for them. The compiler checks them in its tests.
  ignorePatterns: ["**/node_modules", "**/dist", "apps/server/bundle", "conformance/programs", "conformance/generated"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    "eqeqeq": "error",
    "no-console": "error",
    "no-param-reassign": "error",
    "no-restricted-imports": ["error", {
      patterns: [
        {
          group: ["effect/*"],
          message: "Write `import { X } from \"effect\"`: otherwise Effect's diagnostics are off."
        },
        { group: ["@community-messaging/server/**"], message: "Nobody imports the server." }
      ]
    }],
    "no-shadow": ["error", { allow: ["it"] }],
    "no-underscore-dangle": "off",
    "no-var": "error",
    "no-warning-comments": "error",
    "object-shorthand": "error",
    "prefer-const": "error",
    "prefer-template": "error",

    "import/first": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "import/no-duplicates": "error",
    "import/no-mutable-exports": "error",
    "oxc/no-barrel-file": ["error", { threshold: 0 }],
    "oxc/no-map-spread": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-abusive-eslint-disable": "error",
    // The readonly types already keep shared arrays from being sorted in place.
    "unicorn/no-array-reverse": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/prefer-node-protocol": "error",

    "typescript/array-type": ["error", { default: "generic" }],
    "typescript/ban-ts-comment": "error",
    // The compiler's noImplicitReturns knows generators better.
    "typescript/consistent-return": "off",
    "typescript/consistent-type-assertions": ["error", { assertionStyle: "never" }],
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "typescript/no-deprecated": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-import-type-side-effects": "error",
    "typescript/no-misused-promises": "error",
    // Takes a schema and an interface of the same name for a class.
    "typescript/no-misused-spread": "off",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-unnecessary-condition": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/only-throw-error": "error",
    "typescript/prefer-nullish-coalescing": "error",
    "typescript/prefer-optional-chain": "error",
    "typescript/prefer-readonly": "error",
    "typescript/require-await": "error",
    "typescript/return-await": "error",
    "typescript/strict-boolean-expressions": ["error", { allowString: false }],
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/use-unknown-in-catch-callback-variable": "error",

    "vitest/expect-expect": ["error", {
      assertFunctionNames: ["expect*", "assert*", "strictEqual", "deepStrictEqual"]
    }],
    "vitest/no-standalone-expect": ["error", {
      additionalTestBlockFunctions: [
        "it",
        "it.each",
        "it.effect",
        "it.effect.each",
        "it.effect.prop",
        "it.live",
        "it.prop",
        "it.scoped",
        "it.scoped.each",
        "it.scopedLive"
      ]
    }],
    // Contract tests get their names from whoever runs them.
    "vitest/valid-title": ["error", { ignoreTypeOfDescribeName: true }]
  },
  overrides: [
    {
      files: ["packages/*/src/**", "apps/*/src/**"],
      excludeFiles: ["apps/server/src/main.ts"],
      rules: { "unicorn/filename-case": ["error", { case: "pascalCase" }] }
    },
    {
      files: ["packages/*/src/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          { object: "Date", property: "now", message: "Ask Effect's Clock or DateTime." },
          { object: "Math", property: "random", message: "Ask Effect's Random, or SecureRandom for secrets." },
          { object: "process", property: "env", message: "Only apps/server reads the environment." },
          // Decision 49.
          ...[["Effect", "race"], ["Effect", "raceFirst"], ["Fiber", "all"], ["Fiber", "joinAll"]]
            .map(([object, property]) => ({ object, property, message: "Use the domain's SideBySide." })),
          ...["makeSemaphore", "unsafeMakeSemaphore"]
            .map((property) => ({ object: "Effect", property, message: "Use the domain's FifoLock." }))
        ]
      }
    },
    {
      files: ["packages/domain/src/**"],
      rules: { "no-restricted-globals": ["error", { name: "Date", message: "Ask Effect's Clock or DateTime." }] }
    },
    onlyImport(["packages/*/src/**"], []),
    ...Object.entries(importable).map(([name, names]) => onlyImport([`packages/${name}/src/**`], names)),
    onlyImportFolders(["packages/domain/src/*/**"], ["shared-kernel"]),
    ...Object.entries(domainFolders).map(([folder, below]) =>
      onlyImportFolders([`packages/domain/src/${folder}/**`], [folder, "shared-kernel", ...below])
    ),
    onlyImportServerFolders("*", []),
    ...Object.entries(serverFolders).map(([folder, below]) => onlyImportServerFolders(folder, below)),
    onlyImport(["packages/client/src/effect/**"], ["effect"]),
    onlyImport(definition.files, definition.importable, definition.forbidden),
    {
      files: [
        "apps/server/bin/**",
        "apps/server/src/main.ts",
        "apps/server/src/command-line/**",
        "scripts/**",
        "attack/**",
        "cluster/src/main.ts",
        "bench/**",
        "packages/*/test/readme/**",
        "examples/**",
        "release/src/main.ts"
      ],
      rules: { "no-console": "off" }
    },
    {
      // Programs as users write them.
      files: ["packages/client/test/readme/**"],
      rules: { "no-console": "off", "typescript/switch-exhaustiveness-check": "off" }
    },
    {
      // Who reads a page, or a stream, does one thing after another.
      files: ["apps/server/browser/**", "apps/server/test/browser/**"],
      rules: { "no-await-in-loop": "off" }
    },
    {
      files: ["**/*.test.ts"],
      rules: { "typescript/ban-ts-comment": ["error", { "ts-expect-error": "allow-with-description" }] }
    },
    {
      // Examples are what others write: JavaScript too, and bodies that the service decodes. Express 5 handles promises.
      files: ["examples/**"],
      rules: {
        "oxc/no-async-endpoint-handlers": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/use-unknown-in-catch-callback-variable": "off"
      }
    },
    {
      // The runner of Node waits for its tests.
      files: ["examples/**/*.test.{ts,js}"],
      rules: { "typescript/no-floating-promises": "off" }
    },
    {
      // Plain JavaScript, for tools that want a default export and for any Node; it has no types to be strict about.
      files: ["*.config.{ts,mjs}", "scripts/**", "apps/server/{bin,scripts}/**", "release/test/*.mjs", "test/*.mjs"],
      rules: {
        "import/no-default-export": "off",
        "typescript/no-unnecessary-condition": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/strict-boolean-expressions": "off"
      }
    }
  ]
}
