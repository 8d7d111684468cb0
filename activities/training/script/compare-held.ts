import { toNumber } from '../../../learn/encoding/number.ts'
import type { Cell } from '../../../learn/formats/row.ts'
import { classMetrics, numberMetrics } from '../../../learn/metrics.ts'
import { outsideSteps } from '../../prediction/outside-steps.ts'
import { runModel } from '../../prediction/run-model.ts'
import { type Opening, openSession } from '../../prediction/sessions.ts'
import { heldRows, type ScriptRows } from './held-rows.ts'

/** How well a model's file predicts the rows that were held out; one that it cannot predict counts as wrong. */
export async function compareHeld(file: Uint8Array, rows: ScriptRows, opening: Opening): Promise<object> {
  const session = await openSession(file, opening)
  const truth: (number | string)[] = []
  const predicted: (number | string)[] = []
  try {
    for await (const held of heldRows(rows)) {
      const results = await runModel(session, held, outsideSteps)
      for (const [i, result] of results.entries()) {
        truth.push(plain(held[i]?.target))
        predicted.push('label' in result && typeof result.label !== 'object' ? plain(result.label) : '')
      }
    }
  } finally {
    await session.onnx.release()
  }
  if (session.description.task === 'numbers') return numberMetrics(truth.map(Number), predicted.map(Number))
  const labels = [...new Set(truth)]
  const places = new Map(labels.map((label, place) => [label, place]))
  const placeOf = (label: number | string): number => places.get(label) ?? -1
  return classMetrics(labels, truth.map(placeOf), predicted.map(placeOf))
}

/** A number where it is one, so that the label 1 is the cell '1'. */
function plain(cell: Cell): number | string {
  const number = toNumber(cell)
  return number === undefined || Number.isNaN(number) ? String(cell ?? '') : number
}
