import { Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import type { Frame } from '../../../infra/subprocess/frames.ts'

// The frames between a model's process and the service. Its answers are checked: the process ran a stranger's model.

/** The array that holds the elements of a type, of the tensors that a model may take or give. */
const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
} as const

const elementType = z.enum([
  'float32',
  'float64',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'bool',
])

const dims = z.array(z.int().nonnegative())

const tensorHeader = z.union([
  z.object({ type: elementType, dims }),
  z.object({ type: z.literal('string'), dims, strings: z.array(z.string()) }),
])

type TensorHeader = z.infer<typeof tensorHeader>

/** An input or an output as the model declares it; a type that is none of ours is no tensor to us. */
const declared = z.union([
  z.object({
    name: z.string(),
    isTensor: z.literal(true),
    type: z.enum([...elementType.options, 'string']),
    shape: z.array(z.union([z.int(), z.string()])),
  }),
  z.object({ name: z.string() }).transform(({ name }) => ({ name, isTensor: false as const })),
])

export const opened = z.union([
  z.object({ inputs: z.array(declared), outputs: z.array(declared) }),
  z.object({ error: z.string() }),
])

const named = z.record(z.string(), tensorHeader)

export const question = z.union([
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('run'), feeds: named, outputs: z.array(z.string()) }),
])

export const ran = z.union([z.object({ tensors: named }), z.object({ error: z.string() })])

export type Tensors = Readonly<Record<string, Tensor>>

export function packTensors(tensors: Tensors): { headers: Record<string, TensorHeader>; parts: Uint8Array[] } {
  const headers: Record<string, TensorHeader> = {}
  const parts: Uint8Array[] = []
  for (const [name, { type, dims, data }] of Object.entries(tensors)) {
    if (Array.isArray(data)) headers[name] = { type: 'string', dims: [...dims], strings: data }
    else {
      const known = elementType.safeParse(type)
      if (!known.success || !ArrayBuffer.isView(data))
        throw new Error(`'${name}' is ${type}, which no model here gives`)
      headers[name] = { type: known.data, dims: [...dims] }
      parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    }
  }
  return { headers, parts }
}

/** Throws where lengths do not fit. */
export function unpackTensors(
  headers: Readonly<Record<string, TensorHeader>>,
  parts: Frame['parts'],
): Record<string, Tensor> {
  let next = 0
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      if (header.type === 'string') return [name, new Tensor('string', header.strings, header.dims)]
      const bytes = Uint8Array.from(parts[next++] ?? new Uint8Array())
      const elements = new arrays[header.type](bytes.buffer)
      return [name, new Tensor(header.type, elements, header.dims)]
    }),
  )
}
