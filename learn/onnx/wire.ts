// The protocol-buffers wire format, as far as writing an ONNX file needs it
// (protobuf.dev/programming-guides/encoding). Parts are joined once, at the end, so that weights are copied once.

const utf8 = new TextEncoder()
const varintWire = 0
const bytesWire = 2
const fixed32Wire = 5

/** An encoded piece of a message. */
export type Encoded = { readonly size: number; readonly chunks: readonly Uint8Array[] }

export function concat(parts: readonly Encoded[]): Encoded {
  return { size: parts.reduce((sum, part) => sum + part.size, 0), chunks: parts.flatMap((part) => part.chunks) }
}

export const raw = (bytes: Uint8Array): Encoded => ({ size: bytes.byteLength, chunks: [bytes] })

/** Joins the chunks; protocol buffers end at 2 GiB. */
export function join(encoded: Encoded): Uint8Array {
  if (encoded.size >= 2 ** 31) throw new RangeError(`the model has ${encoded.size} bytes; an ONNX file ends at 2 GiB`)
  const bytes = new Uint8Array(encoded.size)
  let at = 0
  for (const chunk of encoded.chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

function pushVarint(into: number[], value: number | bigint): void {
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 0x7fn) {
    into.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  into.push(Number(rest))
}

function varints(values: Iterable<number | bigint>): Uint8Array {
  const bytes: number[] = []
  for (const value of values) pushVarint(bytes, value)
  return Uint8Array.from(bytes)
}

const tag = (field: number, wire: number): number => field * 8 + wire

export const integer = (field: number, value: number | bigint): Encoded => raw(varints([tag(field, varintWire), value]))

export function float(field: number, value: number): Encoded {
  return concat([raw(varints([tag(field, fixed32Wire)])), raw(new Uint8Array(Float32Array.of(value).buffer))])
}

/** A length-delimited field: bytes, or an embedded message. */
export function message(field: number, parts: readonly Encoded[]): Encoded {
  const body = concat(parts)
  return concat([raw(varints([tag(field, bytesWire), body.size])), body])
}

export const text = (field: number, value: string): Encoded => message(field, [raw(utf8.encode(value))])

export const packedIntegers = (field: number, values: Iterable<number | bigint>): Encoded =>
  message(field, [raw(varints(values))])

export const packedFloats = (field: number, values: readonly number[]): Encoded =>
  message(field, [raw(new Uint8Array(Float32Array.from(values).buffer))])
