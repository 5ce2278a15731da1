import { Metric, MetricBoundaries, MetricLabel } from "effect"
import type { RateLimitBucket } from "../../wire/RateLimitBucket.ts"

/*
 * The metrics of the HTTP server. Labels have few values: patterns of routes, never paths. They are updated in place,
 * because an effect per update would take longer than the update.
 */

type Labels = ReadonlyArray<MetricLabel.MetricLabel>

const labelled = (labels: Readonly<Record<string, string>>): Labels =>
  Object.entries(labels).map(([name, value]) => MetricLabel.make(name, value))

/** Most requests take about a millisecond; `REQUEST_TIMEOUT` is ten seconds by default. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Named and labelled as in OpenTelemetry's semantic conventions for HTTP servers, so that its dashboards fit. */
const requestDuration = Metric.histogram(
  "http_server_request_duration_seconds",
  MetricBoundaries.fromIterable(DURATIONS),
  "Time from the headers of a request to its response, or to the first byte of an event stream."
)

const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** By route, method and status. There are few of each, so that none needs to be removed. */
const labelsOfRequests = new Map<string, Map<string, Map<number, Labels>>>()

const getOrAdd = <K, V>(values: Map<K, V>, key: K, make: () => V): V => {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

const labelsOfRequest = (method: string, route: string, status: number): Labels => {
  const name = KNOWN_METHODS.has(method) ? method : "_OTHER"
  const byMethod = getOrAdd(labelsOfRequests, route, () => new Map<string, Map<number, Labels>>())
  return getOrAdd(
    getOrAdd(byMethod, name, () => new Map<number, Labels>()),
    status,
    () => labelled({ http_request_method: name, http_route: route, http_response_status_code: String(status) })
  )
}

/** Counts a request with its duration. */
export const countRequest = (method: string, route: string, status: number, seconds: number): void =>
  requestDuration.unsafeUpdate(seconds, labelsOfRequest(method, route, status))

const rateLimitsExceeded = Metric.counter("community_messaging_rate_limits_exceeded_total", {
  description: "Requests that were refused because of a rate limit, by its bucket.",
  incremental: true
})

/** Makes the function that counts a request beyond the rate limit of this bucket. */
export const rateLimitCounter = (bucket: RateLimitBucket): () => void => {
  const labels = labelled({ bucket })
  rateLimitsExceeded.unsafeUpdate(0, labels)
  return () => rateLimitsExceeded.unsafeUpdate(1, labels)
}

const openConnections = Metric.counter("community_messaging_open_connections", {
  description: "Open connections, without refused ones."
})

/** Counts a connection that is opened, by 1, or closed, by -1. */
export const countConnection = (difference: 1 | -1): void => openConnections.unsafeUpdate(difference, [])

const connectionsRefused = Metric.counter("community_messaging_connections_refused_total", {
  description: "Connections that were refused, by the limit: of all connections or of one address.",
  incremental: true
})

const ofLimits = { all: labelled({ limit: "all" }), address: labelled({ limit: "address" }) }

/** Counts a connection that is refused because of this limit. */
export const countConnectionRefused = (limit: keyof typeof ofLimits): void =>
  connectionsRefused.unsafeUpdate(1, ofLimits[limit])

const bodyMemory = Metric.counter("community_messaging_body_memory_bytes", {
  description: "Memory of the request bodies in progress. Bodies of at most 64 KiB are not counted."
})

/** Counts memory of bodies that is taken, or given back as a negative number. */
export const countBodyMemory = (bytes: number): void => bodyMemory.unsafeUpdate(bytes, [])

const bodiesRefused = Metric.counter("community_messaging_bodies_refused_total", {
  description: "Request bodies that were refused for lack of memory, by the limit: of all bodies or of one caller.",
  incremental: true
})

const ofBodyLimits = { all: labelled({ limit: "all" }), caller: labelled({ limit: "caller" }) }

/** Counts a body that is refused because of this limit. */
export const countBodyRefused = (limit: keyof typeof ofBodyLimits): void =>
  bodiesRefused.unsafeUpdate(1, ofBodyLimits[limit])

const eventStreams = Metric.counter("community_messaging_event_streams", { description: "Open event streams." })

/** Counts an event stream that is opened, by 1, or closed, by -1. */
export const countEventStream = (difference: 1 | -1): void => eventStreams.unsafeUpdate(difference, [])

/** Registers all metrics with their labels, so that rates are right from the first event on. */
export const register = (): void => {
  for (const labels of Object.values(ofLimits)) connectionsRefused.unsafeUpdate(0, labels)
  for (const labels of Object.values(ofBodyLimits)) bodiesRefused.unsafeUpdate(0, labels)
  for (const level of [openConnections, bodyMemory, eventStreams]) level.unsafeUpdate(0, [])
}
