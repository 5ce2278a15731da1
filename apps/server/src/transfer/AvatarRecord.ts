import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import * as Avatar from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Schema, Stream } from "effect"
import { invalid } from "./InvalidRecord.ts"
import { named } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"

/** An avatar with its bytes in base64 as a line of a file. What it is, its bytes tell. */
export const AvatarRecord = Schema.Struct({
  hash: Avatar.AvatarHash,
  contentType: named("content_type", Avatar.AvatarContentType),
  bytes: named("data", Schema.Uint8ArrayFromBase64)
})

const keep = ({ bytes, contentType, hash }: typeof AvatarRecord.Type) =>
  Effect.gen(function*() {
    const avatars = yield* AvatarStore
    const images = yield* ImageInspector
    const { sha256Hex } = yield* Digest
    if (bytes.length > Avatar.MAX_AVATAR_BYTES) {
      return yield* invalid("data", `has ${bytes.length} bytes, more than ${Avatar.MAX_AVATAR_BYTES}`)
    }
    // What is there already under its hash is the same, provided that this is what the hash says.
    const image = yield* images.inspect(bytes)
    if (image.contentType !== contentType) return yield* invalid("content_type", `is ${image.contentType} in truth`)
    if (Avatar.hash(sha256Hex(bytes), image) !== hash) return yield* invalid("hash", "is not the hash of the data")
    return yield* RecordKind.outcome(yield* avatars.find(hash), { ...image, hash, bytes }, () =>
      true, () =>
      avatars.put({ ...image, hash, bytes }))
  }).pipe(
    Effect.catchTag("InvalidAvatarImage", () =>
      invalid("data", "is no readable image of a known kind"))
  )

/** Avatars. */
export const kind = RecordKind.make({
  kind: "avatar",
  schema: AvatarRecord,
  keep,
  all: Stream.unwrap(Effect.map(AvatarStore, ({ find, list }) =>
    RecordKind.pages(list, (hash) => hash).pipe(
      Stream.mapEffect(find),
      Stream.filterMap((found) => found)
    )))
})
