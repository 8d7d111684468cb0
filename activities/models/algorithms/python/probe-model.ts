import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'

/** How a model is to be called, or why it cannot be. */
export type Probe = z.infer<typeof probe>

export const probe = z.union([
  z.object({
    input: z.object({ name: z.string(), type: z.enum(['float32', 'float64']) }),
    /** Its first output: a label or a number a row. */
    output: z.object({ name: z.string(), type: z.string() }),
  }),
  z.object({ reason: z.string() }),
])

const predicted = new Set([
  'string',
  'bool',
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
])

/** Loads a model, asks what it takes, and has it predict three rows and one of `columns` zeros. */
export async function probeModel(bytes: Uint8Array, columns: number): Promise<Probe> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1 }).catch(
    (error: Error) => error,
  )
  if (session instanceof Error) return { reason: `model.onnx does not load: ${session.message}` }
  const wanted = inputOf(session, columns)
  if ('reason' in wanted) return wanted
  const [name = ''] = session.outputNames
  for (const rows of [3, 1]) {
    const found = await predictZeros(session, wanted, name, rows, columns).catch((error: Error) => error)
    if (found instanceof Error) {
      return { reason: `model.onnx cannot predict ${rows === 1 ? 'one row' : `${rows} rows`}: ${found.message}` }
    }
    const reason = faultOf(found, name, rows)
    if (reason !== undefined) return { reason }
    if (rows === 1) return { input: wanted, output: { name, type: String(found?.type) } }
  }
  return { reason: 'model.onnx was not asked' }
}

type Input = { readonly name: string; readonly type: 'float32' | 'float64' }

function inputOf(session: InferenceSession, columns: number): Input | { readonly reason: string } {
  const [input, ...more] = session.inputMetadata
  if (input === undefined || more.length > 0) {
    return { reason: `model.onnx has ${session.inputMetadata.length} inputs; it must have one, [N, ${columns}]` }
  }
  if (!input.isTensor || (input.type !== 'float32' && input.type !== 'float64')) {
    const type = input.isTensor ? input.type : 'no tensor'
    return { reason: `input '${input.name}' of model.onnx is ${type}; it must be float32 or float64` }
  }
  const width = input.shape[1]
  if (input.shape.length !== 2 || (typeof width === 'number' && width >= 0 && width !== columns)) {
    return {
      reason: `input '${input.name}' of model.onnx is [${input.shape.join(', ')}]; it must be [N, ${columns}], the attributes without the target`,
    }
  }
  return { name: input.name, type: input.type }
}

async function predictZeros(session: InferenceSession, input: Input, output: string, rows: number, columns: number) {
  const zeros = input.type === 'float32' ? new Float32Array(rows * columns) : new Float64Array(rows * columns)
  const results = await session.run({ [input.name]: new Tensor(input.type, zeros, [rows, columns]) }, [output])
  return results[output]
}

function faultOf(found: Tensor | undefined, name: string, rows: number): string | undefined {
  if (found === undefined || !predicted.has(found.type)) {
    return `output '${name}' of model.onnx is ${found?.type ?? 'no tensor'}; the first output must be labels or numbers`
  }
  if (found.size === rows) return undefined
  return `output '${name}' of model.onnx is [${found.dims.join(', ')}] for ${rows} rows; the first output must hold one label or number a row`
}
