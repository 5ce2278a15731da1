import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import * as OtelTracer from "@effect/opentelemetry/Tracer"
import { TraceFlags } from "@opentelemetry/api"
import { Cause, Exit, Option, Tracer } from "effect"

/** An error with the types of the errors as its message, and with their stack. */
const redacted = (cause: Cause.Cause<unknown>): Error => {
  const [message = "", ...frames] = LoggedCause.describe(cause).split("\n")
  const error = new Error(message)
  error.stack = [`Error: ${message}`, ...frames].join("\n")
  return error
}

const redactedExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause) ? exit : Exit.die(redacted(exit.cause))

/** Keeps a caller's decision not to record its trace. The tracer of `@effect/opentelemetry` would record it. */
const withDecision = (parent: Tracer.AnySpan): Tracer.AnySpan =>
  parent._tag === "ExternalSpan"
    ? OtelTracer.makeExternalSpan({
      traceId: parent.traceId,
      spanId: parent.spanId,
      traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
    })
    : parent

/**
 * Makes a tracer whose spans contain no messages of errors, because they may quote the request (API gaps, Credentials).
 */
export const make = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: (execution, fiber) => tracer.context(execution, fiber),
    span: (name, parent, ...rest) => {
      const span = tracer.span(name, Option.map(parent, withDecision), ...rest)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => end(endTime, redactedExit(exit))
      return span
    }
  })
