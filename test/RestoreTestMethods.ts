import { effect, it, layer, scoped } from "@effect/vitest"

// `layer` of @effect/vitest replaces methods of the one `it` of vitest. Test files share modules, so the next file would get
// them, and run in a runtime that has ended.
Object.assign(it, { effect, layer, scoped })
