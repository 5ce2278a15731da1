import type { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import type { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import type { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Layer } from "effect"
import * as DigestNode from "./DigestNode.ts"
import * as ImageInspectorNode from "./ImageInspectorNode.ts"
import * as SecureRandomNode from "./SecureRandomNode.ts"

/** All ports of the platform, on Node. */
export const layer: Layer.Layer<Digest | ImageInspector | SecureRandom> = Layer.mergeAll(
  DigestNode.layer,
  ImageInspectorNode.layer,
  SecureRandomNode.layer
)
