import { it, layer, live, scopedLive, type Vitest } from "@effect/vitest"
import { Effect, FiberRef, HashSet, Logger, type Scope, TestClock, TestServices } from "effect"

/*
 * Sets the methods of `it` for tests of effects, before each test file: `layer` of @effect/vitest replaces them at the one
 * `it` of vitest, and test files share modules, so the next file would run in a runtime that has ended.
 */

/**
 * Runs a test with its own `TestClock` and without the default logger, as @effect/vitest does. That package builds a dozen
 * layers for it, which takes longer than most tests.
 */
const inTestEnvironment = <A, E, R>(test: Effect.Effect<A, E, R | TestServices.TestServices>) =>
  test.pipe(
    Effect.provide(TestClock.defaultTestClock),
    Effect.provide(TestServices.liveServices),
    Effect.locallyWith(FiberRef.currentLoggers, HashSet.filter((logger) => logger !== Logger.defaultLogger))
  )

type Environment = TestServices.TestServices

const one = <R extends Scope.Scope>(test: Vitest.Test<R>): Vitest.Test<R | Environment> => (name, body, options) =>
  test(name, (context) => inTestEnvironment(body(context)), options)

const methods = <R extends Scope.Scope>(tester: Vitest.Tester<R>): Vitest.Tester<R | Environment> => {
  const each: Vitest.Tester<R | Environment>["each"] = (cases) => (name, body, options) =>
    tester.each(cases)(name, (...given) => inTestEnvironment(body(...given)), options)
  const prop: Vitest.Tester<R | Environment>["prop"] = (name, arbitraries, body, options) =>
    tester.prop(name, arbitraries, (...given) => inTestEnvironment(body(...given)), options)
  return Object.assign(one(tester), {
    skip: one(tester.skip),
    skipIf: (condition: unknown) => one(tester.skipIf(condition)),
    runIf: (condition: unknown) => one(tester.runIf(condition)),
    only: one(tester.only),
    fails: one(tester.fails),
    each,
    prop
  })
}

Object.assign(it, { effect: methods(live), layer, scoped: methods(scopedLive) })
