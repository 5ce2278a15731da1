import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import * as Avatar from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Schema, Stream } from "effect"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"

/** The record of an avatar with its bytes in base64. The bytes determine its type. */
const AvatarRecord = RecordSchema.make(Schema.Struct({
  hash: Avatar.AvatarHash,
  contentType: Avatar.AvatarContentType,
  bytes: Schema.propertySignature(Schema.Uint8ArrayFromBase64).pipe(Schema.fromKey("data"))
}))

const save = ({ bytes, contentType, hash }: typeof AvatarRecord.Type) =>
  Effect.gen(function*() {
    const avatars = yield* AvatarStore
    const images = yield* ImageInspector
    const { sha256Hex } = yield* Digest
    if (bytes.length > Avatar.MAX_AVATAR_BYTES) {
      return yield* invalid("data", `has ${bytes.length} bytes, more than ${Avatar.MAX_AVATAR_BYTES}`)
    }
    // Equal hashes mean equal bytes, so the hash must be checked first.
    const image = yield* images.inspect(bytes)
    if (image.contentType !== contentType) {
      return yield* invalid("content_type", `does not match the data, which is ${image.contentType}`)
    }
    if (Avatar.hash(sha256Hex(bytes), image) !== hash) {
      return yield* invalid("hash", "is not the hash of the data")
    }
    const avatar = { ...image, hash, bytes }
    return yield* RecordKind.outcome(yield* avatars.find(hash), avatar, () => true, () => avatars.put(avatar))
  }).pipe(
    Effect.catchTags({
      InvalidAvatarImage: () => invalid("data", "is not a readable image of a supported type and size"),
      // An import inspects one image at a time.
      ImageInspectorBusy: Effect.die
    })
  )

/** The record kind of avatars. */
export const kind = RecordKind.make({
  kind: "avatar",
  schema: AvatarRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(AvatarStore, ({ find, list }) =>
    RecordKind.pages(list, (hash) => hash).pipe(
      Stream.mapEffect(find),
      Stream.filterMap((found) => found)
    ))
})
