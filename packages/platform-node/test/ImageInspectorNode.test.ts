import { InvalidAvatarImage } from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import * as ImageInspectorNode from "../src/ImageInspectorNode.ts"
import { animatedPng, avifSequence, picture, pixelBomb } from "./Images.ts"

const inspect = (bytes: Uint8Array) => Effect.flatMap(ImageInspector, (images) => images.inspect(bytes))

const WIDTH = 64
const HEIGHT = 48
const still = picture(WIDTH, HEIGHT)
const film = picture(WIDTH, HEIGHT, 3)

const images = {
  "a PNG": [() => still.clone().png().toBuffer(), { contentType: "image/png", animated: false }],
  "an animated PNG": [
    async () => animatedPng(await still.clone().png().toBuffer(), WIDTH, HEIGHT),
    { contentType: "image/png", animated: true }
  ],
  "a JPEG": [() => still.clone().jpeg().toBuffer(), { contentType: "image/jpeg", animated: false }],
  "a GIF": [() => still.clone().gif().toBuffer(), { contentType: "image/gif", animated: false }],
  "a GIF of several frames": [() => film.clone().gif().toBuffer(), { contentType: "image/gif", animated: true }],
  "a WebP": [() => still.clone().webp().toBuffer(), { contentType: "image/webp", animated: false }],
  "a WebP of several frames": [() => film.clone().webp().toBuffer(), { contentType: "image/webp", animated: true }],
  "an AVIF": [() => still.clone().avif({ effort: 0 }).toBuffer(), { contentType: "image/avif", animated: false }],
  "an AVIF sequence": [
    async () => avifSequence(await still.clone().avif({ effort: 0 }).toBuffer()),
    { contentType: "image/avif", animated: true }
  ]
} as const

layer(ImageInspectorNode.layer)("ImageInspectorNode", (it) => {
  for (const [name, [make, description]] of Object.entries(images)) {
    it.effect(`tells ${name} by its content`, () =>
      Effect.gen(function*() {
        expect(yield* inspect(yield* Effect.promise(make))).toEqual(description)
      }))

    it.effect(`refuses ${name} cut off anywhere`, () =>
      Effect.gen(function*() {
        const bytes = yield* Effect.promise(make)
        const lengths = [0, 1, 11, 33, 0.3, 0.6, 0.9, 0.97].map((part) =>
          part < 1 ? Math.floor(bytes.length * part) : part
        )
        const errors = yield* Effect.forEach(lengths, (length) => Effect.flip(inspect(bytes.subarray(0, length))))
        expect(errors).toEqual(lengths.map(() => new InvalidAvatarImage()))
      }))
  }

  it.effect("refuses bytes that are no image", () =>
    Effect.gen(function*() {
      const garbage = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)
      expect(yield* Effect.flip(inspect(garbage))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("refuses a signature with garbage behind it", () =>
    Effect.gen(function*() {
      const png = yield* Effect.promise(() => still.clone().png().toBuffer())
      const garbled = Buffer.concat([png.subarray(0, 41), Buffer.alloc(512, 0xa5)])
      expect(yield* Effect.flip(inspect(garbled))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("refuses an image of another kind", () =>
    Effect.gen(function*() {
      const tiff = yield* Effect.promise(() => still.clone().tiff().toBuffer())
      expect(yield* Effect.flip(inspect(tiff))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("refuses a drawing, which may contain scripts", () =>
    Effect.gen(function*() {
      const svg = Buffer.from("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"></svg>")
      expect(yield* Effect.flip(inspect(svg))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("refuses a small file that claims a giant picture", () =>
    Effect.gen(function*() {
      const png = yield* Effect.promise(() => still.clone().png().toBuffer())
      expect(yield* Effect.flip(inspect(pixelBomb(png, 30_000, 30_000)))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("refuses a real picture of more pixels than it looks into", () =>
    Effect.gen(function*() {
      const width = 8192
      const height = ImageInspectorNode.MAX_PIXELS / width + 1
      const large = sharp({ create: { width, height, channels: 3, background: "red" } })
      const png = yield* Effect.promise(() => large.png({ compressionLevel: 1 }).toBuffer())
      expect(yield* Effect.flip(inspect(png))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("knows an AVIF that presents itself as a HEIF", () =>
    Effect.gen(function*() {
      const avif = yield* Effect.promise(() => still.clone().avif({ effort: 0 }).toBuffer())
      avif.write("mif1", 8, "latin1")
      expect(yield* inspect(avif)).toEqual({ contentType: "image/avif", animated: false })
    }))

  it.effect("looks into many images at a time", () =>
    Effect.gen(function*() {
      const png = yield* Effect.promise(() => still.clone().png().toBuffer())
      const descriptions = yield* Effect.forEach(Array.from({ length: 16 }), () => inspect(png), {
        concurrency: "unbounded"
      })
      expect(descriptions).toEqual(descriptions.map(() => ({ contentType: "image/png", animated: false })))
    }))
})
