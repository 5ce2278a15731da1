import { effect, it, layer, scoped } from "@effect/vitest"

// `layer` of @effect/vitest puts its own methods on the one `it` of vitest. Files that share their modules would pass
// them on to the next one, which would then run in a runtime that has ended.
Object.assign(it, { effect, layer, scoped })
