import { Refusal } from '../../../sql/refusal.ts'
import { placeOf, type ReadRow } from '../formats/row.ts'
import { outsideSteps } from './outside-steps.ts'
import { type Prediction, runModel } from './run-model.ts'
import { type Opening, openSession } from './sessions.ts'

/** What training makes of the same rows; absent for a model of which only its file is known. */
export type Expected = { readonly labels: readonly (number | string)[]; readonly tolerance: number }

/**
 * A model is published after this alone: its file loads, predicts some rows, gives a finite number or one of its labels
 * for each, and agrees with what training found. Throws a `Refusal` that says what does not hold.
 */
export async function checkModel(
  file: Uint8Array,
  rows: readonly ReadRow[],
  expected?: Expected,
  opening: Opening = {},
): Promise<void> {
  const session = await openSession(file, opening).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    throw new Refusal(`the model's file cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  })
  try {
    const results = await runModel(session, rows, outsideSteps).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      throw new Refusal(`the model cannot be run: ${error instanceof Error ? error.message : String(error)}`)
    })
    for (const [i, result] of results.entries()) {
      if ('reason' in result)
        throw new Refusal(`the model cannot predict a row of its training data: ${placeOf(result)}`)
      const wrong = faultOf(result, session.description.labels, expected?.labels[i], expected?.tolerance ?? 0)
      if (wrong !== undefined) throw new Refusal(`the model predicts ${wrong} for row ${i + 1} of its training data`)
    }
  } finally {
    await session.onnx.release()
  }
}

function faultOf(
  { label }: Prediction,
  labels: readonly (number | string)[] | undefined,
  expected: number | string | undefined,
  tolerance: number,
): string | undefined {
  if (typeof label === 'object') return undefined
  if (typeof label === 'number' && !Number.isFinite(label)) return String(label)
  if (labels !== undefined && !labels.includes(label)) return `'${label}', which is none of its labels,`
  if (expected === undefined) return undefined
  const same =
    typeof label === 'number' && typeof expected === 'number'
      ? Math.abs(label - expected) <= tolerance * Math.max(1, Math.abs(expected))
      : label === expected
  return same ? undefined : `'${label}' in place of '${expected}'`
}
