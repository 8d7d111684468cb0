/**
 * Columns as a Parquet file (https://parquet.apache.org/docs/file-format): one row group, values plain and not packed. The
 * metadata are in Thrift's compact protocol.
 */

export type ParquetType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING'
export type ParquetColumn = {
  readonly name: string
  readonly type: ParquetType
  /** Booleans, BigInts, numbers or texts, as the type says; null for none. */
  readonly values: readonly (boolean | bigint | number | string | null)[]
}

const physical = { BOOLEAN: 0, INT64: 2, DOUBLE: 5, STRING: 6 } as const
const magic = [0x50, 0x41, 0x52, 0x31]
const encoder = new TextEncoder()

export function parquetOf(columns: readonly ParquetColumn[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [Uint8Array.from(magic)]
  let offset = magic.length
  const numRows = columns[0]?.values.length ?? 0
  const chunks = columns.map(({ name, type, values }) => {
    const levels = levelsOf(values)
    const data = valuesOf(type, values)
    const size = levels.length + data.length
    const header = pageHeader(values.length, size)
    parts.push(header, levels, data)
    const chunk = { name, type, at: offset, size: header.length + size, numValues: values.length }
    offset += chunk.size
    return chunk
  })
  const footer = footerOf(columns, chunks, numRows)
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, footer.length, true)
  return new Blob([...parts, footer, length, Uint8Array.from(magic)])
}

/** Whether each value is there, a bit each, behind the length of all bits. */
function levelsOf(values: ParquetColumn['values']): Uint8Array<ArrayBuffer> {
  const numGroups = Math.ceil(values.length / 8)
  const head = varint((numGroups << 1) | 1)
  const bytes = new Uint8Array(4 + head.length + numGroups)
  new DataView(bytes.buffer).setUint32(0, head.length + numGroups, true)
  bytes.set(head, 4)
  for (const [at, value] of values.entries()) {
    if (value !== null) setBit(bytes, 4 + head.length, at)
  }
  return bytes
}

function setBit(bytes: Uint8Array, from: number, at: number): void {
  const place = from + (at >> 3)
  bytes[place] = (bytes[place] ?? 0) | (1 << (at & 7))
}

function valuesOf(type: ParquetType, values: ParquetColumn['values']): Uint8Array<ArrayBuffer> {
  const there = values.filter((value) => value !== null)
  if (type === 'BOOLEAN') {
    const bytes = new Uint8Array(Math.ceil(there.length / 8))
    for (const [at, value] of there.entries()) if (value === true) setBit(bytes, 0, at)
    return bytes
  }
  if (type === 'STRING') {
    const texts = there.map((value) => encoder.encode(String(value)))
    const bytes = new Uint8Array(texts.reduce((sum, { length }) => sum + 4 + length, 0))
    const view = new DataView(bytes.buffer)
    let at = 0
    for (const text of texts) {
      view.setUint32(at, text.length, true)
      bytes.set(text, at + 4)
      at += 4 + text.length
    }
    return bytes
  }
  const bytes = new Uint8Array(there.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of there.entries()) {
    if (type === 'INT64') view.setBigInt64(at * 8, BigInt(value), true)
    else view.setFloat64(at * 8, Number(value), true)
  }
  return bytes
}

/** A field of a struct: its number, and its type with its value. */
type Field = readonly [id: number, type: number, bytes: readonly number[]]

const [i32, i64, binary, list, struct] = [5, 6, 8, 9, 12]

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

/** Numbers here are none below zero: their zigzag form is the double. */
const whole = (value: number): number[] => varint(value * 2)
const text = (value: string): number[] => {
  const bytes = encoder.encode(value)
  return [...varint(bytes.length), ...bytes]
}
const listOf = (type: number, items: readonly (readonly number[])[]): number[] => [
  ...(items.length < 15 ? [(items.length << 4) | type] : [0xf0 | type, ...varint(items.length)]),
  ...items.flat(),
]

function structOf(fields: readonly Field[]): number[] {
  let last = 0
  const bytes = fields.flatMap(([id, type, value]) => {
    const head = ((id - last) << 4) | type
    last = id
    return [head, ...value]
  })
  return [...bytes, 0]
}

const [plain, rle] = [0, 3]

function pageHeader(numValues: number, size: number): Uint8Array<ArrayBuffer> {
  const data = structOf([
    [1, i32, whole(numValues)],
    [2, i32, whole(plain)],
    [3, i32, whole(rle)],
    [4, i32, whole(rle)],
  ])
  return Uint8Array.from(
    structOf([
      [1, i32, whole(0)],
      [2, i32, whole(size)],
      [3, i32, whole(size)],
      [5, struct, data],
    ]),
  )
}

type Chunk = {
  readonly name: string
  readonly type: ParquetType
  readonly at: number
  readonly size: number
  readonly numValues: number
}

function footerOf(
  columns: readonly ParquetColumn[],
  chunks: readonly Chunk[],
  numRows: number,
): Uint8Array<ArrayBuffer> {
  const root = structOf([
    [4, binary, text('schema')],
    [5, i32, whole(columns.length)],
  ])
  const optional = 1
  const elements = columns.map(({ name, type }) =>
    structOf([
      [1, i32, whole(physical[type])],
      [3, i32, whole(optional)],
      [4, binary, text(name)],
      ...(type === 'STRING' ? [[6, i32, whole(0)] as const] : []),
    ]),
  )
  const group = structOf([
    [1, list, listOf(struct, chunks.map(chunkOf))],
    [2, i64, whole(chunks.reduce((sum, { size }) => sum + size, 0))],
    [3, i64, whole(numRows)],
  ])
  return Uint8Array.from(
    structOf([
      [1, i32, whole(1)],
      [2, list, listOf(struct, [root, ...elements])],
      [3, i64, whole(numRows)],
      [4, list, listOf(struct, [group])],
      [6, binary, text('Weir')],
    ]),
  )
}

function chunkOf({ name, type, at, size, numValues }: Chunk): number[] {
  const metadata = structOf([
    [1, i32, whole(physical[type])],
    [2, list, listOf(i32, [whole(plain), whole(rle)])],
    [3, list, listOf(binary, [text(name)])],
    [4, i32, whole(0)],
    [5, i64, whole(numValues)],
    [6, i64, whole(size)],
    [7, i64, whole(size)],
    [9, i64, whole(at)],
  ])
  return structOf([
    [2, i64, whole(at)],
    [3, struct, metadata],
  ])
}
