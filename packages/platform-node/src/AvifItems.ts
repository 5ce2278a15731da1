import * as FourCharacterCode from "./FourCharacterCode.ts"

/*
 * The structure of an AVIF: boxes (ISO/IEC 14496-12, 4.2) that describe items and their properties (ISO/IEC 23008-12, 6 and
 * 9). An invalid structure throws a `RangeError`.
 */

/** The maximum number of boxes in a box, of items with properties, and of pictures that others consist of. */
const MAX_ENTRIES = 1000

/** The pictures that others consist of, such as tiles, have together at most this multiple of the pixels of one picture. */
const MAX_PARTS = 4

const CODE = {
  description: FourCharacterCode.of("meta"),
  items: FourCharacterCode.of("iinf"),
  item: FourCharacterCode.of("infe"),
  references: FourCharacterCode.of("iref"),
  parts: FourCharacterCode.of("dimg"),
  properties: FourCharacterCode.of("iprp"),
  propertyList: FourCharacterCode.of("ipco"),
  associations: FourCharacterCode.of("ipma"),
  dimensions: FourCharacterCode.of("ispe")
} as const

/** The kinds of pictures: coded ones, those in tiles, and those with another dynamic range. */
const PICTURES = new Set(["av01", "grid", "tmap"].map(FourCharacterCode.of))

const METADATA = new Set(["Exif", "mime"].map(FourCharacterCode.of))

/** A box: its type, and where its content starts and ends. */
interface Box {
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
    limited(boxes.push({ type: view.getUint32(offset + 4), start: offset + header, end: next }))
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
  const pixelsOf = boxesIn(view, list.start, list.end).map((property) =>
    property.type === CODE.dimensions
      ? view.getUint32(property.start + 4) * view.getUint32(property.start + 8)
      : undefined
  )
  const { flags, next, version } = open(view, only(boxes, CODE.associations))
  const pixels = new Map<number, number>()
  for (let items = limited(next(4)); items > 0; items -= 1) {
    const id = next(version === 0 ? 2 : 4)
    for (let associations = next(1); associations > 0; associations -= 1) {
      // The highest bit of an index has another meaning. Index 0 is no property.
      const index = (flags & 1) === 1 ? next(2) & 0x7f_ff : next(1) & 0x7f
      const declared = pixelsOf[index - 1]
      if (declared !== undefined) pixels.set(id, Math.max(declared, pixels.get(id) ?? 0))
    }
  }
  return pixels
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
 * Returns whether each picture in an AVIF declares its size, and has at most that many pixels. Besides the picture that is
 * shown, a decoder decodes others: its transparency, and its tiles. It checks the declared size of each, but has no limit.
 * Source: AVIF specification, 2 and 4.
 */
export const areWithin = (bytes: Uint8Array, maxPixels: number): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { end, start } = only(boxesIn(view, 0, bytes.length), CODE.description)
  const description = boxesIn(view, start + 4, end)
  const pixels = pixelsIn(view, only(description, CODE.properties))
  const pixelsOf = (id: number) => pixels.get(id) ?? Infinity
  const ofParts = partsIn(view, description).reduce((sum, id) => sum + pixelsOf(id), 0)
  return ofParts <= MAX_PARTS * maxPixels &&
    itemsIn(view, only(description, CODE.items)).every(({ id, type }) =>
      PICTURES.has(type) ? pixelsOf(id) <= maxPixels : METADATA.has(type)
    )
}
