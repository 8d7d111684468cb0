import { Refusal } from '../../../base/refusal.ts'
import type { ModelProcesses } from '../../models/process/model-processes.ts'
import { type CheckedModel, probeModel } from './probe-model.ts'

const limit_ms = 60_000

/**
 * Has a process of its own load a model that a stranger's script wrote, and predict with it: a model may crash the
 * runtime, never end, or take all memory. One that is in several files does not load there.
 */
export async function checkModel(
  apart: Pick<ModelProcesses, 'open'>,
  bytes: Uint8Array,
  columns: number,
  signal: AbortSignal,
): Promise<CheckedModel> {
  signal.throwIfAborted()
  const model = await apart.open('', bytes).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.message.replace(/^the model/, 'model.onnx')) : error
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    void model.release()
  }, limit_ms)
  const stop = (): void => void model.release()
  signal.addEventListener('abort', stop)
  try {
    return await probeModel(model, columns)
  } catch (error) {
    signal.throwIfAborted()
    throw isLate ? new Refusal(`model.onnx cannot be used: its check took longer than ${limit_ms / 1000} s`) : error
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    await model.release()
  }
}
