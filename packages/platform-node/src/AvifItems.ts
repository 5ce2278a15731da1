import * as Av1Frames from "./Av1Frames.ts"
import * as FourCharacterCode from "./FourCharacterCode.ts"

/*
 * The structure of an AVIF: boxes (ISO/IEC 14496-12, 4.2) that describe items and their properties (ISO/IEC 23008-12, 6 and
 * 9). An invalid structure throws a `RangeError`.
 */

/** The maximum number of boxes in a box, of items, of the extents of their data, and of pictures that others consist of. */
const MAX_ENTRIES = 1000

/**
 * The pictures that others consist of, such as tiles, have together at most this multiple of the pixels of one picture: the
 * tiles of its colours and of its transparency.
 */
const MAX_PARTS = 2

/** The maximum number of frames in the data of a picture. Encoders make one, or one for each of a few layers. */
const MAX_FRAMES = 8

const CODE = {
  description: FourCharacterCode.of("meta"),
  items: FourCharacterCode.of("iinf"),
  item: FourCharacterCode.of("infe"),
  references: FourCharacterCode.of("iref"),
  parts: FourCharacterCode.of("dimg"),
  properties: FourCharacterCode.of("iprp"),
  propertyList: FourCharacterCode.of("ipco"),
  associations: FourCharacterCode.of("ipma"),
  dimensions: FourCharacterCode.of("ispe"),
  locations: FourCharacterCode.of("iloc"),
  data: FourCharacterCode.of("idat"),
  coded: FourCharacterCode.of("av01"),
  fileType: FourCharacterCode.of("ftyp"),
  free: FourCharacterCode.of("free")
} as const

/** The boxes of a file that a still image needs. */
const OF_STILL_IMAGE = new Set([CODE.fileType, CODE.description, FourCharacterCode.of("mdat")])

/** The brands of sequences, and those of still images in their place. */
const STILL_BRANDS: ReadonlyMap<number, number> = new Map([
  [FourCharacterCode.of("avis"), FourCharacterCode.of("avif")],
  [FourCharacterCode.of("msf1"), FourCharacterCode.of("mif1")]
])

/** The properties that transform a picture. An item has each at most once. */
const TRANSFORMS = new Set(["irot", "imir", "clap"].map(FourCharacterCode.of))

/** The kinds of pictures: coded ones, those in tiles, and those with another dynamic range. */
const PICTURES = new Set(["av01", "grid", "tmap"].map(FourCharacterCode.of))

const METADATA = new Set(["Exif", "mime"].map(FourCharacterCode.of))

/** A box: where it begins, its type, and where its content starts and ends. */
interface Box {
  readonly offset: number
  readonly type: number
  readonly start: number
  readonly end: number
}

const limited = (count: number): number => {
  if (count > MAX_ENTRIES) throw new RangeError("too many entries")
  return count
}

const boxesIn = (view: DataView, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  let offset = start
  while (offset < end) {
    const size = view.getUint32(offset)
    const header = size === 1 ? 16 : 8
    const next = size === 0 ? end : offset + (size === 1 ? Number(view.getBigUint64(offset + 8)) : size)
    if (next < offset + header || next > end) throw new RangeError("a box ends outside the box that contains it")
    limited(boxes.push({ offset, type: view.getUint32(offset + 4), start: offset + header, end: next }))
    offset = next
  }
  return boxes
}

/** Returns the only box of the type. Which one of several is valid depends on the decoder. */
const only = (boxes: ReadonlyArray<Box>, type: number): Box => {
  const [box, ...others] = boxes.filter((candidate) => candidate.type === type)
  if (box === undefined || others.length > 0) throw new RangeError("a box is missing or repeated")
  return box
}

/** Reads the version and the flags at the beginning of a box, then the numbers after them. */
const open = (view: DataView, { start }: Box) => {
  let offset = start + 4
  return {
    version: view.getUint8(start),
    flags: view.getUint32(start) & 0xff_ff_ff,
    position: () => offset,
    next: (bytes: 1 | 2 | 4): number => {
      offset += bytes
      return bytes === 1
        ? view.getUint8(offset - 1)
        : bytes === 2
        ? view.getUint16(offset - 2)
        : view.getUint32(offset - 4)
    }
  }
}

const itemsIn = (view: DataView, box: Box) => {
  const list = open(view, box)
  list.next(list.version === 0 ? 2 : 4)
  return boxesIn(view, list.position(), box.end).map((entry) => {
    const { next, version } = open(view, entry)
    if (entry.type !== CODE.item || version < 2) throw new RangeError("an item has no type")
    const id = next(version === 2 ? 2 : 4)
    next(2)
    return { id, type: next(4) }
  })
}

/** Returns the pixels of each item by its id: the most that one of its properties declares. */
const pixelsIn = (view: DataView, properties: Box): ReadonlyMap<number, number> => {
  const boxes = boxesIn(view, properties.start, properties.end)
  const list = only(boxes, CODE.propertyList)
  const declared = boxesIn(view, list.start, list.end)
  const { flags, next, version } = open(view, only(boxes, CODE.associations))
  const pixels = new Map<number, number>()
  const seen = new Set<number>()
  for (let items = limited(next(4)); items > 0; items -= 1) {
    const id = next(version === 0 ? 2 : 4)
    if (seen.has(id)) throw new RangeError("the properties of an item are repeated")
    seen.add(id)
    const transforms = new Set<number>()
    for (let associations = next(1); associations > 0; associations -= 1) {
      // The highest bit of an index has another meaning. Index 0 is no property.
      const index = (flags & 1) === 1 ? next(2) & 0x7f_ff : next(1) & 0x7f
      const property = declared[index - 1]
      if (property?.type === CODE.dimensions) {
        const size = view.getUint32(property.start + 4) * view.getUint32(property.start + 8)
        pixels.set(id, Math.max(size, pixels.get(id) ?? 0))
      }
      if (property === undefined || !TRANSFORMS.has(property.type)) continue
      if (transforms.has(property.type)) throw new RangeError("a picture is transformed more than once")
      transforms.add(property.type)
    }
  }
  return pixels
}

/**
 * Returns the data of each item by its id. All together are at most as long as the file: otherwise, items that refer to the
 * same bytes would be read to gigabytes. Source: ISO/IEC 14496-12, 8.11.3.
 */
const dataIn = (view: DataView, description: ReadonlyArray<Box>): ReadonlyMap<number, Uint8Array> => {
  const { next, version } = open(view, only(description, CODE.locations))
  const number = (bytes: number): number => {
    if (bytes === 0) return 0
    if (bytes === 4) return next(4)
    if (bytes === 8) return next(4) * 2 ** 32 + next(4)
    throw new RangeError("a location has no valid size")
  }
  const sizes = next(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >>> 12, (sizes >>> 8) & 15, (sizes >>> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const data = new Map<number, Uint8Array>()
  let unread = view.byteLength
  let extentCount = 0
  for (let items = limited(next(version < 2 ? 2 : 4)); items > 0; items -= 1) {
    const id = next(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : next(2) & 15
    if (method > 1 || next(2) !== 0 || data.has(id)) {
      throw new RangeError("the data of an item is not in the file, or repeated")
    }
    const area = method === 0 ? { start: 0, end: view.byteLength } : only(description, CODE.data)
    const base = area.start + number(baseSize)
    const extents = Array.from({ length: limited(next(2)) }, () => {
      number(indexSize)
      const start = base + number(offsetSize)
      const length = number(lengthSize)
      // Without a length, the rest.
      const end = length === 0 ? area.end : start + length
      unread -= end - start
      if (start > end || end > area.end || unread < 0) throw new RangeError("the data of items ends outside the file")
      return new Uint8Array(view.buffer, view.byteOffset + start, end - start)
    })
    extentCount = limited(extentCount + extents.length)
    const [first = new Uint8Array(), ...others] = extents
    data.set(id, others.length === 0 ? first : Buffer.concat(extents))
  }
  return data
}

/** Returns the ids of the items that others consist of, each as often as it is referred to. */
const partsIn = (view: DataView, description: ReadonlyArray<Box>): ReadonlyArray<number> => {
  if (!description.some(({ type }) => type === CODE.references)) return []
  const box = only(description, CODE.references)
  const bytes = view.getUint8(box.start) === 0 ? 2 : 4
  const lists = boxesIn(view, box.start + 4, box.end).filter(({ type }) => type === CODE.parts)
    .map(({ start }) => ({ count: view.getUint16(start + bytes), first: start + bytes + 2 }))
  // All together, and before they are read: a box of a few bytes can claim thousands, and so can each of a thousand boxes.
  limited(lists.reduce((sum, { count }) => sum + count, 0))
  return lists.flatMap(({ count, first }) =>
    Array.from({ length: count }, (_, index) => {
      const offset = first + index * bytes
      return bytes === 2 ? view.getUint16(offset) : view.getUint32(offset)
    })
  )
}

/**
 * Returns whether each picture in an AVIF declares its size, and has at most that many pixels, and few frames. Besides the
 * picture that is shown, a decoder decodes others: its transparency, and its tiles. It checks the declared size of each, but
 * has no limit. Source: AVIF specification, 2 and 4.
 */
export const areWithin = (bytes: Uint8Array, maxPixels: number): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { end, start } = only(boxesIn(view, 0, bytes.length), CODE.description)
  const description = boxesIn(view, start + 4, end)
  const pixels = pixelsIn(view, only(description, CODE.properties))
  const pixelsOf = (id: number) => pixels.get(id) ?? Infinity
  const ofParts = partsIn(view, description).reduce((sum, id) => sum + pixelsOf(id), 0)
  const data = dataIn(view, description)
  const hasFewFrames = (id: number) => Av1Frames.count(data.get(id) ?? new Uint8Array()) <= MAX_FRAMES
  return ofParts <= MAX_PARTS * maxPixels &&
    itemsIn(view, only(description, CODE.items)).every(({ id, type }) =>
      PICTURES.has(type)
        ? pixelsOf(id) <= maxPixels && (type !== CODE.coded || hasFewFrames(id))
        : METADATA.has(type)
    )
}

/**
 * Returns the file as a still image alone. Other boxes become free space: the tables of a sequence of some bytes describe
 * millions of samples, for each of which libheif takes memory. And libvips does not recognize a file whose first brand is
 * that of a sequence.
 */
export const stillImage = (bytes: Uint8Array): Uint8Array => {
  const still = new Uint8Array(bytes)
  const view = new DataView(still.buffer)
  for (const { end, offset, start, type } of boxesIn(view, 0, still.length)) {
    if (!OF_STILL_IMAGE.has(type)) view.setUint32(offset + 4, CODE.free)
    if (type !== CODE.fileType) continue
    for (let brand = start; brand + 4 <= end; brand += 4) {
      view.setUint32(brand, STILL_BRANDS.get(view.getUint32(brand)) ?? view.getUint32(brand))
    }
    view.setUint32(start, FourCharacterCode.of("avif"))
  }
  return still
}
