// A model's metadata are the ModelProto's field 14, a list of pairs. Reading it skips all other fields by their length;
// as joined messages are one message to protocol buffers, pairs are added by appending them.

import { Refusal } from '../../base/refusal.ts'
import { concat, join, message, raw, text } from './wire.ts'

const pairs = 14
const utf8 = new TextDecoder()

type Field = { readonly field: number; readonly bytes: Uint8Array | undefined }

/** Throws a `Refusal` where the bytes are no message; it does not check whether they are a model. */
export function readMetadata(model: Uint8Array): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>()
  for (const { field, bytes } of fieldsOf(model)) {
    if (field !== pairs || bytes === undefined) continue
    const texts = new Map([...fieldsOf(bytes)].map((each) => [each.field, utf8.decode(each.bytes)]))
    metadata.set(texts.get(1) ?? '', texts.get(2) ?? '')
  }
  return metadata
}

/** Later pairs win over those of the same name that are there. */
export function withMetadata(model: Uint8Array, metadata: Iterable<readonly [string, string]>): Uint8Array {
  return join(
    concat([raw(model), ...Array.from(metadata, ([key, value]) => message(pairs, [text(1, key), text(2, value)]))]),
  )
}

/** The fields of a message in order, those without bytes of their own too. */
export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 0x7f) * shift
      if (byte < 0x80) return value
    }
    throw new Refusal('the file is no ONNX model')
  }
  while (at < bytes.length) {
    const tag = varint()
    const wire = tag % 8
    if (wire === 0) varint()
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : 0
    if (at + length > bytes.length || wire === 3 || wire === 4 || wire > 5)
      throw new Refusal('the file is no ONNX model')
    yield { field: Math.floor(tag / 8), bytes: wire === 2 ? bytes.subarray(at, at + length) : undefined }
    at += length
  }
}
