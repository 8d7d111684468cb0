import { InferenceSession, type Tensor } from 'onnxruntime-node'

/** Loads a model into ONNX Runtime and runs it once. */
export async function runModel(
  bytes: Uint8Array,
  feeds: Readonly<Record<string, Tensor>>,
): Promise<Readonly<Record<string, Tensor>>> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  try {
    return await session.run(feeds)
  } finally {
    await session.release()
  }
}

export function doubles(tensor: Tensor | undefined): Float64Array {
  if (!(tensor?.data instanceof Float64Array)) throw new Error(`no double output but ${tensor?.type}`)
  return tensor.data
}
