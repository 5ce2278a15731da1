import {
  Cookies,
  type Headers,
  HttpIncomingMessage,
  type HttpMethod,
  HttpServerError,
  HttpServerRequest,
  UrlParams
} from "@effect/platform"
import { NodeMultipart, NodeStream } from "@effect/platform-node"
import { Effect, Inspectable, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as BodyBytes from "./BodyBytes.ts"

/** What of a request is decoded already by the schemas of its endpoint, by the names under which its handler gets it. */
export interface DecodedParts {
  path?: unknown
  payload?: unknown
  headers?: unknown
  urlParams?: unknown
}

/** In what a modified request differs. */
interface Changes {
  readonly url?: string
  readonly headers?: Headers.Headers
  readonly remoteAddress?: string
}

/** What a request has in common with what it is modified to. */
interface Shared {
  readonly answerHeaders: Record<string, string>
  /** The body, once somebody has asked for it. */
  body: Effect.Effect<Uint8Array, HttpServerError.RequestError> | undefined
}

// Node's names are in lower case and its values strings, as the platform's type wants them; what that has besides, a prototype
// for printing secrets, is not worth a copy of the headers of every request.
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- the platform's own request does the same
const headersOf = (source: IncomingMessage): Headers.Headers => source.headers as Headers.Headers

// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- Node's parser knows more methods than the platform
const methodOf = (source: IncomingMessage): HttpMethod.HttpMethod => source.method as HttpMethod.HttpMethod

const decoder = new TextDecoder()

/**
 * A request to a server of Node's. It is the platform's request in all that handlers may ask of it, and knows some
 * more: how to read its body in one step, what of it a middleware has decoded, so that nobody decodes it again, and the
 * headers that its answer is to have, whatever that will be.
 */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly url: string
  readonly headers: Headers.Headers
  // The names by which `NodeHttpServerRequest` finds them.
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly #remoteAddress: string | undefined
  #decoded: DecodedParts
  readonly #shared: Shared

  constructor(
    source: IncomingMessage,
    response: ServerResponse,
    changes: Changes = {},
    decoded: DecodedParts = {},
    shared: Shared = { answerHeaders: {}, body: undefined }
  ) {
    super()
    this.source = source
    this.response = response
    this.url = changes.url ?? source.url ?? ""
    this.headers = changes.headers ?? headersOf(source)
    this.#remoteAddress = changes.remoteAddress
    this.#decoded = decoded
    this.#shared = shared
  }

  get [HttpServerRequest.TypeId](): HttpServerRequest.TypeId {
    return HttpServerRequest.TypeId
  }

  get [HttpIncomingMessage.TypeId](): HttpIncomingMessage.TypeId {
    return HttpIncomingMessage.TypeId
  }

  get method(): HttpMethod.HttpMethod {
    return methodOf(this.source)
  }

  get originalUrl(): string {
    return this.source.url ?? ""
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.#remoteAddress ?? this.source.socket.remoteAddress)
  }

  get cookies(): Readonly<Record<string, string>> {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  /** The request with those changes. What was decoded of the parts that change is decoded anew. */
  modify(changes: Changes): NodeRequest {
    const decoded = { ...this.#decoded }
    if (changes.headers !== undefined) delete decoded.headers
    if (changes.url !== undefined) {
      delete decoded.path
      delete decoded.urlParams
    }
    const all = {
      url: this.url,
      headers: this.headers,
      ...(this.#remoteAddress !== undefined && { remoteAddress: this.#remoteAddress }),
      ...changes
    }
    return new NodeRequest(this.source, this.response, all, decoded, this.#shared)
  }

  /** The headers, by name in lower case, that the answer has besides its own, whatever it will be. */
  get answerHeaders(): Readonly<Record<string, string>> {
    return this.#shared.answerHeaders
  }

  /** Adds headers to whatever the request will be answered with; they count more than those of the answer itself. */
  answerWith(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.#shared.answerHeaders, headers)
  }

  /** What a middleware has decoded by now. */
  get decoded(): DecodedParts {
    return this.#decoded
  }

  /** Keeps parts that a middleware has decoded by the schemas of the endpoint: its handler gets them as they are. */
  handOver(parts: DecodedParts): this {
    this.#decoded = { ...this.#decoded, ...parts }
    return this
  }

  /** All bytes of the body, at most `limit`, once: they are not kept. */
  bytes(limit: number): Effect.Effect<Uint8Array, BodyBytes.BodyTooLarge | BodyBytes.BodyBroken> {
    return BodyBytes.read(this.source, limit)
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return Effect.map(this.#whole, (bytes) => decoder.decode(bytes))
  }

  get json(): Effect.Effect<unknown, HttpServerError.RequestError> {
    return Effect.tryMap(this.text, {
      try: (text): unknown => text === "" ? null : JSON.parse(text),
      catch: (cause) => this.#error(cause)
    })
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.RequestError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.RequestError> {
    return Effect.map(this.#whole, (bytes) => new Uint8Array(bytes).buffer)
  }

  get stream() {
    return NodeStream.fromReadable(() => this.source, (cause) => this.#error(cause))
  }

  get multipart() {
    return NodeMultipart.persisted(this.source, this.source.headers)
  }

  get multipartStream() {
    return NodeMultipart.stream(this.source, this.source.headers)
  }

  get upgrade(): Effect.Effect<never, HttpServerError.RequestError> {
    return Effect.fail(
      new HttpServerError.RequestError({ request: this, reason: "Decode", description: "Nothing is upgraded here" })
    )
  }

  override toString(): string {
    return `NodeRequest(${this.method} ${this.url})`
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@effect/platform/HttpServerRequest",
      method: this.method,
      url: this.originalUrl
    })
  }

  /** The body, read once and kept. */
  get #whole(): Effect.Effect<Uint8Array, HttpServerError.RequestError> {
    this.#shared.body ??= Effect.runSync(
      Effect.cached(Effect.flatMap(HttpIncomingMessage.MaxBodySize, (most) =>
        Effect.mapError(
          this.bytes(Option.match(most, { onNone: () => Number.MAX_SAFE_INTEGER, onSome: Number })),
          (cause) => this.#error(cause)
        )))
    )
    return this.#shared.body
  }

  #error(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }
}
