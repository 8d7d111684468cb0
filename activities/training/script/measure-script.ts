import type { Source } from '../../../learn/formats/read-rows.ts'
import { trainingState } from '../../models/training-states.ts'
import type { TrainingDeps } from '../deps.ts'
import { fewHeld, minRows, tooFew } from '../fit/hold-out.ts'
import { TrainingFailure } from '../refusals.ts'
import type { StepContext } from '../step.ts'
import { restOfRows } from './held-rows.ts'
import { readScriptFacts } from './script-data.ts'

type Deps = Pick<TrainingDeps, 'files' | 'threads' | 'runScript'>

/** The script learns once more, from the rows that are not held out, and that model is asked for the others. */
export async function measureScript(deps: Deps, context: StepContext): Promise<object> {
  const { key, request, signal } = context
  const { layout, expected: format } = request
  const { rows, means, held } = readScriptFacts(await deps.files.read(key, 'check'))
  if (layout.target === undefined) return { reason: nothingToCompare }
  if (rows < minRows || held?.length === 0) return { rows: 0, reason: tooFew(rows) }
  const source = await open(deps, context, 'data')
  const data = restOfRows({ source, format, layout, held })
  const watch = { log: () => {}, beat: () => {} }
  const file = await deps.runScript({ request, version: String(key.training), data, means, watch, signal })
  const { metrics, measured } = await compare(deps, context, { file, held, from: 'data' })
  return { ...withNotes(metrics, fewHeld(measured)), rows_learnt: rows - measured }
}

/** The model that learnt from all rows is asked for those of a file held out, which it never saw. */
export async function measureByFile(deps: Deps, context: StepContext, file: Uint8Array): Promise<object> {
  if (context.request.layout.target === undefined) return { reason: nothingToCompare }
  const { rows } = readScriptFacts(await deps.files.read(context.key, 'check'))
  const { metrics, measured } = await compare(deps, context, { file, held: 'all', from: 'heldData' })
  return { ...withNotes(metrics, fewHeld(measured)), rows_learnt: rows }
}

/** A version that was published before is asked for the rows held out, those of the run or of a file of their own. */
export async function comparePublished(deps: Deps, context: StepContext, file: Uint8Array): Promise<object> {
  const { request, key } = context
  if (request.layout.target === undefined) return { reason: nothingToCompare }
  const isFile = request.holdout?.file !== undefined
  const { held } = readScriptFacts(await deps.files.read(key, 'check'))
  const rows = isFile ? ({ held: 'all', from: 'heldData' } as const) : ({ held, from: 'data' } as const)
  return (await compare(deps, context, { file, ...rows })).metrics
}

function withNotes(metrics: { readonly note?: string }, { note }: { readonly note?: string }): object {
  const notes = [metrics.note, note].filter((each) => each !== undefined)
  return notes.length === 0 ? metrics : { ...metrics, note: notes.join('; ') }
}

const nothingToCompare = 'without a target there is nothing to compare with'

async function open({ files }: Deps, { key }: StepContext, file: 'data' | 'heldData'): Promise<Source> {
  const data = await files.stream(key, file)
  if (data === undefined) throw new TrainingFailure(trainingState.objectStore, 'the reformatted data are gone')
  return data
}

type Comparison = {
  readonly file: Uint8Array
  readonly held: Int32Array | 'all' | undefined
  readonly from: 'data' | 'heldData'
}

async function compare(deps: Deps, context: StepContext, { file, held, from }: Comparison) {
  const { layout, expected: format } = context.request
  const silent = {
    signal: context.signal,
    log: () => {},
    progress: () => {},
    refusedState: () => trainingState.badTestData,
  }
  const task = { kind: 'compare', file, format, layout, held } as const
  const files = from === 'data' ? [from] : ([from, 'data'] as const)
  const answer = await deps.threads.run(
    task,
    silent,
    files.map((each) => () => open(deps, context, each)),
  )
  if (!('metrics' in answer)) return { metrics: {}, measured: 0 }
  return { metrics: answer.metrics, measured: 'rows' in answer.metrics ? Number(answer.metrics.rows) : 0 }
}
