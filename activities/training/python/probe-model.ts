import { Tensor } from 'onnxruntime-node'
import { Refusal } from '../../../base/refusal.ts'
import { createRandom } from '../../../learn/random.ts'
import type { ModelInProcess } from '../../models/process/model-processes.ts'

/** How a model is to be called. */
export type CheckedModel = {
  readonly input: { readonly name: string; readonly type: 'float32' | 'float64' }
  /** Its first output: a label or a number a row. */
  readonly output: { readonly name: string; readonly type: string }
}

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

/** As many as are predicted at once. */
const batch = 1024
const random = createRandom(1)

/**
 * Values that real data may hold. Zeros must be predicted, in any number of rows; for the others a model may say that it cannot:
 * where it takes the number of a category, most numbers are none. But it may not end its process, nor leave out rows.
 */
const probes: readonly { readonly rows: number; readonly must: boolean; readonly cell: (at: number) => number }[] = [
  { rows: 3, must: true, cell: () => 0 },
  { rows: 1, must: true, cell: () => 0 },
  { rows: batch, must: true, cell: () => 0 },
  { rows: batch, must: false, cell: () => 20 * random.uniform() - 10 },
  { rows: 1, must: false, cell: () => 1e12 },
  { rows: 64, must: false, cell: (at) => (at % 2 === 0 ? 1 : -1) * 10 ** (random.uniform() * 38) },
  { rows: 3, must: false, cell: () => Number.NaN },
  { rows: 3, must: false, cell: (at) => (at % 2 === 0 ? Infinity : -Infinity) },
]

/** Asks a model for its input, and has it predict rows of `columns` cells. Throws a `Refusal` where it cannot be used. */
export async function probeModel(model: ModelInProcess, columns: number): Promise<CheckedModel> {
  const input = inputOf(model, columns)
  const [name = ''] = model.outputMetadata.map((output) => output.name)
  let type = ''
  for (const { rows, must, cell } of probes) {
    const found = await predict(model, input, name, rows, columns, cell).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      if (must || model.hasEnded()) {
        throw new Refusal(`model.onnx cannot predict ${rows === 1 ? 'one row' : `${rows} rows`}: ${error.message}`)
      }
    })
    if (found === undefined) continue
    checkOutput(found, name, rows)
    type = found.type
  }
  return { input, output: { name, type } }
}

function inputOf({ inputMetadata }: ModelInProcess, columns: number): CheckedModel['input'] {
  const [input, ...more] = inputMetadata
  if (input === undefined || more.length > 0) {
    throw new Refusal(`model.onnx has ${inputMetadata.length} inputs; it must have one, [N, ${columns}]`)
  }
  if (!input.isTensor || (input.type !== 'float32' && input.type !== 'float64')) {
    const type = input.isTensor ? input.type : 'no tensor'
    throw new Refusal(`input '${input.name}' of model.onnx is ${type}; it must be float32 or float64`)
  }
  const width = input.shape[1]
  if (input.shape.length !== 2 || (typeof width === 'number' && width >= 0 && width !== columns)) {
    throw new Refusal(
      `input '${input.name}' of model.onnx is [${input.shape.join(', ')}]; it must be [N, ${columns}], the attributes without the target`,
    )
  }
  return { name: input.name, type: input.type }
}

async function predict(
  model: ModelInProcess,
  input: CheckedModel['input'],
  output: string,
  rows: number,
  columns: number,
  cell: (at: number) => number,
): Promise<Tensor | undefined> {
  const cells = Float64Array.from({ length: rows * columns }, (_, at) => cell(at))
  const data = input.type === 'float32' ? Float32Array.from(cells) : cells
  const results = await model.run({ [input.name]: new Tensor(input.type, data, [rows, columns]) }, [output])
  return results[output]
}

function checkOutput(found: Tensor, name: string, rows: number): void {
  if (!predicted.has(found.type)) {
    throw new Refusal(`output '${name}' of model.onnx is ${found.type}; the first output must be labels or numbers`)
  }
  if (found.size === rows) return
  throw new Refusal(
    `output '${name}' of model.onnx is [${found.dims.join(', ')}] for ${rows} rows; the first output must hold one label or number a row`,
  )
}
