/** An embed, in the order of its columns in the service's database. */
export interface Embed {
  readonly type: "rich"
  readonly url?: string | undefined
  readonly title: string
  readonly color: number
  readonly description?: string
  readonly author?: { readonly name: string; readonly url?: string | undefined; readonly iconUrl?: string | undefined }
  readonly fields?: ReadonlyArray<{ readonly name: string; readonly value: string; readonly inline: boolean }>
}
