import { Fault } from '../../../base/faults.ts'
import { isObject, parseJson } from '../../../base/json.ts'
import { valuesOf } from '../../../sql/saved/values.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import type { AskRows, Version } from '../rows.ts'
import { failed, maxKeys, samplesOf } from './samples.ts'
import type { Outcome } from './states.ts'

/** Evaluations share the places of queries among themselves, as the requests of one key do. */
const user = 'watches'

/** Asks a question for its watch. A failure of the question is an outcome; only an end of the process throws. */
export const createEvaluate =
  (askRows: AskRows) =>
  async (
    version: Version,
    watch: Watch,
    ended: AbortSignal,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> => {
    try {
      const { answer } = await askRows({
        // An answer of before would hide what came since.
        version: { ...version, question: { ...version.question, cache_s: 0 } },
        values: valuesOf(version.question, { inAddress: {}, inBody: {}, fixed: {} }),
        format: 'JSON',
        limit: maxKeys + 1,
        settings,
        reader: { by: user, user, gone: ended },
      })
      if (answer.kind === 'stream') return failed('the answer has over 8 MB: ask for fewer columns or rows')
      const body = parseJson(answer.body.toString(), 'the answer')
      const rows = isObject(body) && Array.isArray(body.rows) ? body.rows : []
      return samplesOf(rows, watch)
    } catch (error) {
      if (ended.aborted) throw error
      if (error instanceof Fault) return failed(error.message)
      return failed(error instanceof Error ? error.message : String(error))
    }
  }

export type Evaluate = ReturnType<typeof createEvaluate>
