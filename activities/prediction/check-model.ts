import { Refusal } from '../../base/refusal.ts'
import { placeOf, type ReadRow } from '../../learn/formats/row.ts'
import type { Prediction } from '../../learn/outside-step.ts'
import { feedsOf } from './feeds.ts'
import { outsideSteps } from './outside-steps.ts'
import { prepareRows } from './prepare-rows.ts'
import { beyondNumbers, runModel } from './run-model.ts'
import { type Opening, openSession, type Session } from './sessions.ts'

/** The labels that training found for the same rows; absent for a model of which only its file is known. */
export type Expected = { readonly labels: readonly (number | string)[]; readonly tolerance: number }

/**
 * A model is published after this alone: its file loads, predicts some rows, gives a finite number or one of its labels
 * for each, and agrees with the labels of training. Throws a `Refusal` that names the condition that does not hold.
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
      if ('reason' in result) {
        // A text that is too long to be predicted says nothing of the model.
        if (result.reason !== beyondNumbers && session.description.outside.length > 0) continue
        throw new Refusal(`the model cannot predict a row of its training data: ${placeOf(result)}`)
      }
      const wrong = faultOf(result, session.description.labels, expected?.labels[i], expected?.tolerance ?? 0)
      if (wrong === undefined) continue
      if (wrong.isOther && (await isTied(session, rows[i], expected?.tolerance ?? 0))) continue
      throw new Refusal(`the model predicts ${wrong.what} for row ${i + 1} of its training data`)
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
): { readonly what: string; readonly isOther: boolean } | undefined {
  if (typeof label === 'object') return undefined
  if (labels !== undefined && !labels.includes(label))
    return { what: `'${label}', which is none of its labels,`, isOther: false }
  if (expected === undefined) return undefined
  const same =
    typeof label === 'number' && typeof expected === 'number'
      ? Math.abs(label - expected) <= tolerance * Math.max(1, Math.abs(expected))
      : label === expected
  return same ? undefined : { what: `'${label}' in place of '${expected}'`, isOther: true }
}

/** Whether a row lies between two labels or clusters, so that the order in which sums are taken tells which it gets. */
async function isTied({ onnx, description }: Session, row: ReadRow | undefined, tolerance: number): Promise<boolean> {
  if (row === undefined || description.task === 'numbers') return false
  const known = ['score', 'probabilities'].filter((name) => onnx.outputMetadata.some((output) => output.name === name))
  if (known.length === 0) return false
  const outputs = await onnx.run(feedsOf(prepareRows([row], description), onnx), known)
  return known.some((name) => {
    const scores = Array.from(outputs[name]?.data ?? [], Number).toSorted((a, b) => a - b)
    const close = tolerance * Math.max(1, ...scores.map(Math.abs))
    const areClose = (a = Number.NaN, b = Number.NaN): boolean => Math.abs(a - b) <= close
    // A machine for two labels tells by the sign, others by the greatest score, clusters by the least distance.
    const isOnBorder = name === 'score' && scores.some((score) => areClose(score, 0))
    return isOnBorder || areClose(scores[0], scores[1]) || areClose(scores.at(-1), scores.at(-2))
  })
}
