import { Data } from "effect"

/** A change of a webhook's avatar. */
export type AvatarChange = Data.TaggedEnum<{
  Keep: {}
  Remove: {}
  Replace: { readonly bytes: Uint8Array }
}>
export const AvatarChange = Data.taggedEnum<AvatarChange>()
