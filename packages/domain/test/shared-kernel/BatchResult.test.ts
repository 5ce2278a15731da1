import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { handleEach } from "../../src/shared-kernel/BatchResult.ts"

it.effect("A batch counts items that were done, needed no work or failed, and continues after a failure, recorded or not", () =>
  Effect.gen(function*() {
    const failures: Array<string> = []
    const result = yield* handleEach(
      ["failing", "unrecordable", "done", "needless", "dying", "done too"],
      (item) => {
        switch (item) {
          case "failing":
            return Effect.fail("expected")
          case "dying":
          case "unrecordable":
            return Effect.die("unexpected")
          default:
            return Effect.succeed(item !== "needless")
        }
      },
      (item) => item === "unrecordable" ? Effect.die("unexpected") : Effect.sync(() => void failures.push(item))
    )
    expect(result).toEqual({ claimed: 6, done: 2, failed: 3 })
    expect(failures).toEqual(["failing", "dying"])
  }))
