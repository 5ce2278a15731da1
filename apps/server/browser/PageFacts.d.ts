/** A notification of a code host or an error tracker, which the page can send. */
export interface Sample {
  readonly title: string
  /** The path under the base URL, with the webhook's token. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The facts of the demo for the page, as the server sends them. */
export interface PageFacts {
  readonly bot_token: string
  readonly admin_key: string
  readonly guild: { readonly id: string; readonly name: string }
  readonly channels: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly channel_id: string
  readonly user_id: string
  readonly samples: ReadonlyArray<Sample>
}
