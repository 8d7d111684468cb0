import type { Source } from '../../../../learn/formats/read-rows.ts'
import type { TrainingDeps } from '../deps.ts'
import { minRows } from '../fit/hold-out.ts'
import { TrainingFailure } from '../refusals.ts'
import { trainingState } from '../states.ts'
import type { StepContext } from '../step.ts'
import { restOfRows } from './held-rows.ts'
import { readScriptFacts } from './script-data.ts'

type Deps = Pick<TrainingDeps, 'files' | 'threads' | 'runScript'>

/** The script learns once more, from four fifths of its rows, and that model is asked for the rest. */
export async function measureScript({ files, threads, runScript }: Deps, context: StepContext): Promise<object> {
  const { key, request, signal } = context
  const { layout, expected: format } = request
  const { rows, means } = readScriptFacts(await files.read(key, 'check'))
  if (layout.target === undefined) return { reason: 'without a target there is nothing to compare with' }
  if (rows < minRows) return { rows: 0, reason: `${rows} rows are too few to hold a fifth of them out` }

  const open = async (): Promise<Source> => {
    const data = await files.stream(key, 'data')
    if (data === undefined) throw new TrainingFailure(trainingState.objectStore, 'the reformatted data are gone')
    return data
  }
  const watch = { log: () => {}, beat: () => {} }
  const data = restOfRows({ source: await open(), format, layout })
  const file = await runScript({ request, version: String(key.training), data, means, watch, signal })
  const silent = { signal, log: () => {}, progress: () => {}, refusedState: () => trainingState.badTestData }
  const answer = await threads.run({ kind: 'compare', file, format, layout }, silent, [open])
  return 'metrics' in answer ? answer.metrics : {}
}
