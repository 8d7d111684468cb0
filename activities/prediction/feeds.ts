import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { Refusal } from '../../base/refusal.ts'
import type { PreparedRows } from './prepare-rows.ts'

export type Feeds = Record<string, Tensor>

/** The inputs that the graph declares: texts into the one that takes texts, numbers into the other in the type it asks for. */
export function feedsOf(
  { good, numbers, words }: PreparedRows,
  { inputMetadata }: Pick<InferenceSession, 'inputMetadata'>,
): Feeds {
  const rows = good.length
  return Object.fromEntries(
    inputMetadata.map((input) => {
      const type = input.isTensor ? input.type : 'no tensor'
      if (type === 'string') return [input.name, new Tensor('string', [...words], [rows, words.length / rows])]
      const dims = [rows, numbers.length / rows]
      if (type === 'float64') return [input.name, new Tensor('float64', numbers, dims)]
      if (type === 'float32') return [input.name, new Tensor('float32', Float32Array.from(numbers), dims)]
      throw new Refusal(`the model's input '${input.name}' is ${type}; it must be float32, float64 or string`)
    }),
  )
}
