import * as AvifItems from "@community-messaging/platform-node/AvifItems"
import { describe, expect, it } from "vitest"
import { largeTransparency, picture } from "./Images.ts"

const u16 = (value: number) => Buffer.from([value >>> 8, value & 0xff])
const u32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff])

const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, "latin1"), body])
}

const item = (id: number, type: string) =>
  box("infe", u32(0x02_00_00_00), u16(id), u16(0), Buffer.from(type, "latin1"), Buffer.from([0]))

interface Parts {
  readonly items?: ReadonlyArray<Buffer>
  /** Width and height of the properties, in order. */
  readonly sizes?: ReadonlyArray<readonly [number, number]>
  /** For each item: its id, and the numbers of its properties. */
  readonly associations?: ReadonlyArray<readonly [number, ReadonlyArray<number>]>
  /** The ids of the tiles of the first item. */
  readonly tiles?: ReadonlyArray<number>
  /** How many boxes list these tiles. */
  readonly lists?: number
  /** The data of each item: a frame by default. */
  readonly data?: Buffer
  /** Where the data is: numbers of extents with their offsets and lengths. In the box `idat` by default. */
  readonly extents?: ReadonlyArray<readonly [offset: number, length: number]>
  /** How the locations are given: 0 in the file, 1 in the box `idat`, 2 in another item. */
  readonly method?: number
}

/** An AV1 unit with a frame, and no content. */
const FRAME = Buffer.from([0x32, 0])

/** The boxes of an AVIF that describe its items. */
const avif = (
  {
    associations = [[1, [1]]],
    data = FRAME,
    extents = [[0, data.length]],
    items = [item(1, "av01")],
    lists = 1,
    method = 1,
    sizes = [[8, 8]],
    tiles = []
  }: Parts,
  ...more: ReadonlyArray<Buffer>
): Buffer =>
  box(
    "meta",
    u32(0),
    box("iinf", u32(0), u16(items.length), ...items),
    box("idat", ...items.map(() => data)),
    box(
      "iloc",
      u32(0x01_00_00_00),
      u16(0x44_00),
      u16(items.length),
      ...items.map((_, index) =>
        Buffer.concat([
          ...[index + 1, method, 0, extents.length].map(u16),
          ...extents.flatMap(([offset, length]) => [u32(index * data.length + offset), u32(length)])
        ])
      )
    ),
    box(
      "iref",
      u32(0),
      ...Array.from({ length: lists }, () => box("dimg", u16(1), u16(tiles.length), ...tiles.map(u16)))
    ),
    box(
      "iprp",
      box("ipco", ...sizes.map(([width, height]) => box("ispe", u32(0), u32(width), u32(height)))),
      box(
        "ipma",
        u32(0),
        u32(associations.length),
        ...associations.map(([id, properties]) => Buffer.from([0, id, properties.length, ...properties]))
      )
    ),
    ...more
  )

describe("the pictures of an AVIF", () => {
  it("are within a number of pixels if each of them is", async () => {
    const bytes = await picture(16, 8).avif({ effort: 0 }).toBuffer()
    expect(AvifItems.areWithin(bytes, 128)).toBe(true)
    expect(AvifItems.areWithin(bytes, 127)).toBe(false)
    expect(AvifItems.areWithin(largeTransparency, 8192 * 8192)).toBe(true)
    expect(AvifItems.areWithin(largeTransparency, 8192 * 8192 - 1)).toBe(false)
  })

  it("have the largest of several declared sizes", () => {
    const sizes = [[8, 8], [9, 9]] as const
    expect(AvifItems.areWithin(avif({ sizes, associations: [[1, [1, 0x82]]] }), 80)).toBe(false)
    expect(AvifItems.areWithin(avif({ sizes, associations: [[1, [1]]] }), 80)).toBe(true)
  })

  it("are not within any number of pixels if one declares no size, or is of an unknown kind", () => {
    expect(AvifItems.areWithin(avif({ items: [item(1, "av01"), item(2, "av01")] }), 64)).toBe(false)
    expect(AvifItems.areWithin(avif({ items: [item(1, "iovl")] }), 64)).toBe(false)
  })

  it("may have metadata without a size", () => {
    expect(AvifItems.areWithin(avif({ items: [item(1, "av01"), item(2, "Exif"), item(3, "mime")] }), 64)).toBe(true)
  })

  it("consist of tiles that have at most twice the pixels of one picture", () => {
    const items = [item(1, "grid"), item(2, "av01")]
    const associations = [[1, [1]], [2, [1]]] as const
    expect(AvifItems.areWithin(avif({ items, associations, tiles: [2, 2] }), 64)).toBe(true)
    expect(AvifItems.areWithin(avif({ items, associations, tiles: [2, 2, 2] }), 64)).toBe(false)
  })

  it("have at most eight frames, which a decoder decodes for one", () => {
    const frames = (count: number) => Buffer.concat(Array.from({ length: count }, () => FRAME))
    expect(AvifItems.areWithin(avif({ data: frames(8) }), 64)).toBe(true)
    expect(AvifItems.areWithin(avif({ data: frames(9) }), 64)).toBe(false)
    const halves = [[0, 9], [9, 9]] as const
    expect(AvifItems.areWithin(avif({ data: frames(9), extents: halves }), 64)).toBe(false)
    // A unit that is longer than another one, one with an extension, and the last one without a size.
    const other = Buffer.from([0x12, 0x81, 0x00, 0xaa, 0x36, 0x00, 0x01, 0xaa, 0x30])
    expect(AvifItems.areWithin(avif({ data: other }), 64)).toBe(true)
  })

  it("may have a transparency that is transformed like the colours", () => {
    const transformed = (...rotations: ReadonlyArray<number>) => {
      const bytes = avif({ sizes: [[8, 8], [1, 1]], associations: [[1, [1, ...rotations]]] })
      bytes.write("irot", bytes.lastIndexOf("ispe"), "latin1")
      return bytes
    }
    expect(AvifItems.areWithin(transformed(2), 64)).toBe(true)
    expect(() => AvifItems.areWithin(transformed(2, 2), 64)).toThrow(RangeError)
  })

  it.each([
    ["properties of one item in two places", avif({ associations: [[1, [1]], [1, [1]]] })],
    ["data longer than the file", avif({ extents: [[0, 1000]] })],
    [
      "the same data in many extents",
      avif({ data: Buffer.alloc(1000), extents: Array.from({ length: 900 }, () => [0, 1000] as const) })
    ],
    [
      "more extents of data than a decoder needs",
      avif({ extents: Array.from({ length: 1001 }, () => [0, 2] as const) })
    ],
    ["data in another item", avif({ method: 2 })],
    ["a unit without a valid size", avif({ data: Buffer.alloc(10, 0xff) })],
    ["a box that is repeated", avif({}, box("iinf", u32(0), u16(0)))],
    ["a box longer than the one that contains it", Buffer.concat([avif({}), u32(9), Buffer.from("mdat")])],
    ["a box shorter than its header", Buffer.concat([avif({}), u32(7), Buffer.from("mdat")])],
    ["no description", box("mdat")],
    ["more boxes than a decoder needs", Buffer.concat([avif({}), ...Array.from({ length: 1000 }, () => box("free"))])],
    [
      "more tiles than a decoder needs",
      avif({ lists: 101, tiles: Array.from({ length: 10 }, () => 1), sizes: [[0, 0]] })
    ],
    ["an end before that of its boxes", avif({ associations: [[1, []]] }).subarray(0, -1)]
  ])("have no sizes in a file with %s", (_, bytes) => {
    expect(() => AvifItems.areWithin(bytes, 64)).toThrow(RangeError)
  })
})

describe("an AVIF as a still image", () => {
  it("has no tables and no brands of a sequence, and everything else where it was", () => {
    const file = (brands: string, table: string) =>
      Buffer.concat([
        box("ftyp", Buffer.from(brands, "latin1")),
        avif({}),
        box(table, u32(0)),
        box("mdat", u32(0))
      ])
    const still = Buffer.from(AvifItems.stillImage(file("msf1\0\0\0\0avismsf1av01", "moov")))
    expect(still).toEqual(file("avif\0\0\0\0avifmif1av01", "free"))
  })
})
