import { InvalidAvatarImage } from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as ImageInspectorNode from "../src/ImageInspectorNode.ts"
import * as JpegSegments from "../src/JpegSegments.ts"
import {
  animatedPng,
  avifSequence,
  gifOfFrames,
  gifOnScreen,
  largeTransparency,
  picture,
  pixelBomb,
  plain,
  pngChunk,
  pngOfFrames,
  splitData,
  webpOfFrames,
  withoutLastSize,
  withPngChunk,
  withScans,
  withTwoPalettes
} from "./Images.ts"

const inspect = (bytes: Uint8Array) => Effect.flatMap(ImageInspector, (images) => images.inspect(bytes))

const WIDTH = 64
const HEIGHT = 48
const still = picture(WIDTH, HEIGHT)
const film = picture(WIDTH, HEIGHT, 3)

const images = {
  "a PNG": [() => still.clone().png().toBuffer(), { contentType: "image/png", animated: false }],
  "an animated PNG": [
    async () => animatedPng(await still.clone().png().toBuffer(), WIDTH, HEIGHT, 2),
    { contentType: "image/png", animated: true }
  ],
  "a PNG with an animation of one frame": [
    async () => animatedPng(await still.clone().png().toBuffer(), WIDTH, HEIGHT, 1),
    { contentType: "image/png", animated: false }
  ],
  "a JPEG": [() => still.clone().jpeg().toBuffer(), { contentType: "image/jpeg", animated: false }],
  "a progressive JPEG": [
    () => still.clone().jpeg({ progressive: true }).toBuffer(),
    { contentType: "image/jpeg", animated: false }
  ],
  "a JPEG of four colours": [
    () => still.clone().toColourspace("cmyk").jpeg().toBuffer(),
    { contentType: "image/jpeg", animated: false }
  ],
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
    it.effect(`recognises ${name} by its content`, () =>
      Effect.gen(function*() {
        expect(yield* inspect(yield* Effect.promise(make))).toEqual(description)
      }))

    it.effect(`rejects ${name} that is truncated anywhere`, () =>
      Effect.gen(function*() {
        const bytes = yield* Effect.promise(make)
        const lengths = [0, 1, 11, 33, 0.3, 0.6, 0.9, 0.97].map((part) =>
          part < 1 ? Math.floor(bytes.length * part) : part
        )
        const errors = yield* Effect.forEach(lengths, (length) => Effect.flip(inspect(bytes.subarray(0, length))))
        expect(errors).toEqual(lengths.map(() => new InvalidAvatarImage()))
      }))
  }

  const png = () => still.clone().png().toBuffer()

  it.effect.each<readonly [what: string, make: () => Promise<Uint8Array>]>([
    [
      "bytes that are not an image",
      () => Promise.resolve(Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251))
    ],
    [
      "a signature with random bytes after it",
      async () => Buffer.concat([(await png()).subarray(0, 41), Buffer.alloc(512, 0xa5)])
    ],
    ["an image of another kind", () => still.clone().tiff().toBuffer()],
    [
      "a drawing, which may contain scripts",
      () => Promise.resolve(Buffer.from("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"></svg>"))
    ],
    ["a small file that claims a giant picture", async () => pixelBomb(await png(), 30_000, 30_000)],
    ["a small file that claims one row of many pixels", async () => pixelBomb(await png(), 16_777_216, 1)],
    ["a PNG with two palettes", async () => withTwoPalettes(await png())],
    ["a PNG with a critical chunk of an unknown type", async () => withPngChunk(await png(), "ABCD")],
    ["a PNG with another chunk before its header", async () => {
      const bytes = await png()
      return Buffer.concat([bytes.subarray(0, 8), pngChunk("tEXt", Buffer.from("a\0b")), bytes.subarray(8)])
    }],
    ["a PNG with another chunk between its data", async () => splitData(await png())],
    ["a JPEG with arithmetic coding", async () => {
      const jpeg = await still.clone().jpeg().toBuffer()
      jpeg[jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc9
      return jpeg
    }],
    ["a PNG without its header", async () => Buffer.concat([(await png()).subarray(0, 8), (await png()).subarray(33)])]
  ])("rejects %s", ([, make]) =>
    Effect.gen(function*() {
      expect(yield* Effect.flip(inspect(yield* Effect.promise(make)))).toEqual(new InvalidAvatarImage())
    }))

  it.effect.each([[4097, 1], [1, 4097]] as const)(
    "rejects an image of %j pixels, which no client could show",
    ([width, height]) =>
      Effect.gen(function*() {
        const formats = [() => plain(width, height).png().toBuffer(), () => plain(width, height).webp().toBuffer()]
        const large = yield* Effect.forEach(formats, (make) => Effect.promise(make))
        const errors = yield* Effect.forEach(large, (bytes) => Effect.flip(inspect(bytes)))
        expect(errors).toEqual([new InvalidAvatarImage(), new InvalidAvatarImage()])
      })
  )

  it.effect("rejects a GIF whose screen no client could show, even if its frames are small", () =>
    Effect.gen(function*() {
      expect(yield* inspect(yield* gifOnScreen(4096))).toEqual({ contentType: "image/gif", animated: false })
      for (const side of [4097, 65_535]) {
        expect(yield* Effect.flip(inspect(yield* gifOnScreen(side)))).toEqual(new InvalidAvatarImage())
      }
    }))

  it.effect("accepts the largest image that clients can show", () =>
    Effect.gen(function*() {
      const jpeg = yield* Effect.promise(() => plain(4096, 4096).jpeg().toBuffer())
      expect(yield* inspect(jpeg)).toEqual({ contentType: "image/jpeg", animated: false })
    }))

  it.effect("rejects a JPEG whose scans have more than 30 components", () =>
    Effect.gen(function*() {
      const jpeg = yield* Effect.promise(() => plain(WIDTH, HEIGHT).jpeg({ progressive: true }).toBuffer())
      // Each further scan has three components.
      const added = Math.floor((30 - (JpegSegments.picture(jpeg)?.passes ?? 0)) / 3)
      expect(yield* inspect(withScans(jpeg, added))).toEqual({ contentType: "image/jpeg", animated: false })
      expect(yield* Effect.flip(inspect(withScans(jpeg, added + 1)))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("rejects an AVIF of more pixels than the memory allows", () =>
    Effect.gen(function*() {
      const avif = (height: number) => Effect.promise(() => plain(4096, height).avif({ effort: 0 }).toBuffer())
      expect(yield* inspect(yield* avif(1024))).toEqual({ contentType: "image/avif", animated: false })
      expect(yield* Effect.flip(inspect(yield* avif(1025)))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("rejects a small AVIF whose transparency has more pixels, whether it declares them or not", () =>
    Effect.gen(function*() {
      for (const avif of [largeTransparency, withoutLastSize(largeTransparency)]) {
        expect(yield* Effect.flip(inspect(avif))).toEqual(new InvalidAvatarImage())
      }
    }))

  it.effect.each(
    [
      ["PNG", pngOfFrames, { contentType: "image/png", animated: true }],
      ["GIF", gifOfFrames, { contentType: "image/gif", animated: true }],
      ["WebP", webpOfFrames, { contentType: "image/webp", animated: true }]
    ] as const
  )("rejects a %s of more than 2000 frames", ([, framed, description]) =>
    Effect.gen(function*() {
      expect(yield* inspect(yield* framed(2000))).toEqual(description)
      expect(yield* Effect.flip(inspect(yield* framed(2001)))).toEqual(new InvalidAvatarImage())
    }))

  it.effect("accepts a GIF without a trailer, as some programs write it", () =>
    Effect.gen(function*() {
      const gif = yield* gifOfFrames(1)
      expect(yield* inspect(gif.subarray(0, -1))).toEqual({ contentType: "image/gif", animated: false })
    }))

  it.effect("recognises an AVIF with the signature of a HEIF", () =>
    Effect.gen(function*() {
      const avif = yield* Effect.promise(() => still.clone().avif({ effort: 0 }).toBuffer())
      avif.write("mif1", 8, "latin1")
      expect(yield* inspect(avif)).toEqual({ contentType: "image/avif", animated: false })
    }))

  it.effect("inspects several images, one after another", () =>
    Effect.gen(function*() {
      const bytes = yield* Effect.promise(png)
      const descriptions = yield* Effect.replicateEffect(inspect(bytes), 8, { concurrency: "unbounded" })
      expect(descriptions).toEqual(descriptions.map(() => ({ contentType: "image/png", animated: false })))
    }))
})
