// ONNX messages as protocol buffers; field numbers are those of onnx.proto (github.com/onnx/onnx, IR version 8).

import type { Attribute, Dimensions, ElementType, TensorData } from './types.ts'
import { concat, type Encoded, float, integer, message, packedFloats, packedIntegers, raw, text } from './wire.ts'

const elementTypes = { float: 1, int32: 6, int64: 7, string: 8, bool: 9, double: 11 } as const
const irVersion = 8
const opset = 17
const mlOpset = 3

export type NamedTensor = { readonly name: string; readonly data: TensorData; readonly dims: readonly number[] }
export type NamedValue = { readonly name: string; readonly elementType: ElementType; readonly dims: Dimensions }

export type NodeParts = {
  readonly name: string
  readonly opType: string
  readonly domain: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Readonly<Record<string, Attribute>>
}

export type ModelParts = {
  readonly nodes: readonly NodeParts[]
  readonly constants: readonly NamedTensor[]
  readonly inputs: readonly NamedValue[]
  readonly outputs: readonly NamedValue[]
  readonly metadata: ReadonlyMap<string, string>
}

export function encodeModel({ nodes, constants, inputs, outputs, metadata }: ModelParts): Encoded {
  return concat([
    integer(1, irVersion),
    text(2, 'weir'),
    message(7, [
      ...nodes.map((node) => message(1, encodeNode(node))),
      text(2, 'model'),
      ...constants.map((constant) => message(5, encodeTensor(constant))),
      ...inputs.map((input) => message(11, encodeValue(input))),
      ...outputs.map((output) => message(12, encodeValue(output))),
    ]),
    message(8, [text(1, ''), integer(2, opset)]),
    message(8, [text(1, 'ai.onnx.ml'), integer(2, mlOpset)]),
    message(8, [text(1, 'com.microsoft'), integer(2, 1)]),
    ...[...metadata].map(([key, value]) => message(14, [text(1, key), text(2, value)])),
  ])
}

function encodeNode({ name, opType, domain, inputs, outputs, attributes }: NodeParts): readonly Encoded[] {
  return [
    ...inputs.map((input) => text(1, input)),
    ...outputs.map((output) => text(2, output)),
    text(3, name),
    text(4, opType),
    ...Object.entries(attributes).map(([key, value]) => message(5, [text(1, key), ...encodeAttribute(value)])),
    text(7, domain),
  ]
}

function encodeAttribute(attribute: Attribute): readonly Encoded[] {
  if ('float' in attribute) return [float(2, attribute.float), integer(20, 1)]
  if ('int' in attribute) return [integer(3, attribute.int), integer(20, 2)]
  if ('text' in attribute) return [text(4, attribute.text), integer(20, 3)]
  if ('tensor' in attribute) return [message(5, encodeTensor({ name: '', ...attribute.tensor })), integer(20, 4)]
  if ('floats' in attribute) return [packedFloats(7, attribute.floats), integer(20, 6)]
  if ('ints' in attribute) return [packedIntegers(8, attribute.ints), integer(20, 7)]
  return [...attribute.texts.map((entry) => text(9, entry)), integer(20, 8)]
}

function encodeTensor({ name, data, dims }: NamedTensor): readonly Encoded[] {
  return [
    packedIntegers(1, dims),
    integer(2, elementTypes[elementTypeOf(data)]),
    ...(ArrayBuffer.isView(data) ? [message(9, [raw(bytesOf(data))])] : data.map((entry) => text(6, entry))),
    text(8, name),
  ]
}

/** ONNX keeps raw data little-endian, as all processors do that Node runs on with ONNX Runtime. */
const bytesOf = (data: ArrayBufferView): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

function elementTypeOf(data: TensorData): ElementType {
  if (data instanceof Float64Array) return 'double'
  if (data instanceof Float32Array) return 'float'
  if (data instanceof BigInt64Array) return 'int64'
  return data instanceof Int32Array ? 'int32' : 'string'
}

function encodeValue({ name, elementType, dims }: NamedValue): readonly Encoded[] {
  const shape = dims.map((dim) => message(1, [typeof dim === 'number' ? integer(1, dim) : text(2, dim)]))
  return [text(1, name), message(2, [message(1, [integer(1, elementTypes[elementType]), message(2, shape)])])]
}
