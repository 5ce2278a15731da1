import { it, layer, live, type Vitest } from "@effect/vitest"
import {
  Context,
  Effect,
  FiberRef,
  HashSet,
  Logger,
  Ref,
  type Scope,
  TestAnnotationMap,
  TestAnnotations,
  TestClock,
  TestServices
} from "effect"

/*
 * Sets the methods of `it` for tests of effects, before each test file: `layer` of @effect/vitest replaces them at the one
 * `it` of vitest, and test files share modules, so the next file would run in a runtime that has ended.
 */

type Environment = TestServices.TestServices

/** Runs a test in an environment that provides `R`. */
type Run<R> = <A, E>(test: Effect.Effect<A, E, R>) => Effect.Effect<A, E>

const testServices = Effect.map(
  Ref.make(TestAnnotationMap.empty()),
  (annotations) =>
    Context.add(TestServices.liveServices, TestAnnotations.TestAnnotations, TestAnnotations.make(annotations))
)

/**
 * Runs a test with its own test services and without the default logger, as @effect/vitest does. That package builds a dozen
 * layers for it, which takes longer than most tests.
 */
const inTestEnvironment: Run<Environment> = (test) =>
  Effect.flatMap(testServices, (services) =>
    test.pipe(
      Effect.provide(TestClock.defaultTestClock),
      Effect.provide(services),
      Effect.locallyWith(FiberRef.currentLoggers, HashSet.filter((logger) => logger !== Logger.defaultLogger))
    ))

const one = <R>(test: Vitest.Test<never>, run: Run<R>): Vitest.Test<R> => (name, body, options) =>
  test(name, (context) => run(body(context)), options)

const methods = <R>(run: Run<R>): Vitest.Tester<R> => {
  const each: Vitest.Tester<R>["each"] = (cases) => (name, body, options) =>
    live.each(cases)(name, (...given) => run(body(...given)), options)
  const prop: Vitest.Tester<R>["prop"] = (name, arbitraries, body, options) =>
    live.prop(name, arbitraries, (...given) => run(body(...given)), options)
  return Object.assign(one(live, run), {
    skip: one(live.skip, run),
    skipIf: (condition: unknown) => one(live.skipIf(condition), run),
    runIf: (condition: unknown) => one(live.runIf(condition), run),
    only: one(live.only, run),
    fails: one(live.fails, run),
    each,
    prop
  })
}

Object.assign(it, {
  effect: methods(inTestEnvironment),
  layer,
  scoped: methods<Environment | Scope.Scope>((test) => inTestEnvironment(Effect.scoped(test)))
})
