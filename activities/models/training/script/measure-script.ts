import type { Source } from '../../../../learn/formats/read-rows.ts'
import type { TrainingDeps } from '../deps.ts'
import { fewHeld, minRows, tooFew } from '../fit/hold-out.ts'
import { TrainingFailure } from '../refusals.ts'
import { trainingState } from '../states.ts'
import type { StepContext } from '../step.ts'
import { restOfRows } from './held-rows.ts'
import { readScriptFacts } from './script-data.ts'

type Deps = Pick<TrainingDeps, 'files' | 'threads' | 'runScript'>

/**
 * The script learns once more, from the rows that are not held out, and that model is asked for the others.
 */
export async function measureScript({ files, threads, runScript }: Deps, context: StepContext): Promise<object> {
  const { key, request, signal } = context
  const { layout, expected: format, holdout } = request
  const { rows, means, held } = readScriptFacts(await files.read(key, 'check'))
  if (layout.target === undefined) return { reason: 'without a target there is nothing to compare with' }
  const isFile = holdout?.file !== undefined
  if (!isFile && (rows < minRows || held?.length === 0)) return { rows: 0, reason: tooFew(rows) }

  const open = async (file: 'data' | 'heldData'): Promise<Source> => {
    const data = await files.stream(key, file)
    if (data === undefined) throw new TrainingFailure(trainingState.objectStore, 'the reformatted data are gone')
    return data
  }
  const watch = { log: () => {}, beat: () => {} }
  const source = await open('data')
  const data = isFile ? source : restOfRows({ source, format, layout, held })
  const file = await runScript({ request, version: String(key.training), data, means, watch, signal })
  const silent = { signal, log: () => {}, progress: () => {}, refusedState: () => trainingState.badTestData }
  const task = { kind: 'compare', file, format, layout, held: isFile ? 'all' : held } as const
  const answer = await threads.run(task, silent, [() => open(isFile ? 'heldData' : 'data')])
  if (!('metrics' in answer)) return {}
  const measured = 'rows' in answer.metrics ? Number(answer.metrics.rows) : 0
  return { ...answer.metrics, ...fewHeld(measured), rows_learnt: isFile ? rows : rows - measured }
}
