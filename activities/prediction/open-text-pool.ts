import { fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { isBroken } from '../../learn/formats/row.ts'
import { openPredictThreads, type PredictLimits, usualLimits } from './open-block-pool.ts'
import type { Refused, RowsResult, RowsTask } from './predict-block.ts'

/** Characters of the texts that are at work or wait: some twenty seconds of work on a small machine. */
const maxCharacters = 4 * 2 ** 20

/** Threads for long texts of lines and events; files have others, so that a line does not wait for a file of hours. */
export function openTextPool(threads: number, limits: PredictLimits = usualLimits) {
  const { run, close } = openPredictThreads<RowsTask, RowsResult | Refused>(threads, limits)
  let held = 0
  return {
    /** A fault `limited` where too much waits. */
    async predict(task: RowsTask): Promise<RowsResult> {
      const characters = task.rows.reduce(
        (sum, row) => sum + (isBroken(row) ? 0 : String(row.cells[0] ?? '').length),
        0,
      )
      if (held > 0 && held + characters > maxCharacters) {
        throw fault('limited', 'too many long texts wait for their predictions; try again in a moment', {
          retryAfter: 5,
        })
      }
      held += characters
      try {
        const result = await run(task)
        if ('refused' in result) throw new Refusal(result.refused)
        return result
      } finally {
        held -= characters
      }
    },
    close,
  }
}

export type TextPool = ReturnType<typeof openTextPool>
