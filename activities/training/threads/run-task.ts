// Runs in a worker thread of `open-training-threads.ts`: the slow part of one step of a training.

import type { MessagePort } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { Refusal } from '../../../base/refusal.ts'
import { strayWeights } from '../../../learn/algorithms/class-weights.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import type { FitWatch } from '../../../learn/dataset.ts'
import { describeTable, type Ways } from '../../../learn/encoding/describe-table.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { ReadRow } from '../../../learn/formats/row.ts'
import type { Layout } from '../../../learn/layout.ts'
import { listOf } from '../../../learn/parameters.ts'
import { createModelProcesses, type ModelProcessSettings } from '../../models/process/model-processes.ts'
import { guardOf } from '../../models/process/native-gate.ts'
import type { TrainingState } from '../../models/training-states.ts'
import { checkModel, type Expected } from '../../prediction/check-model.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { type FitRequest, type FittedModel, fitRows, learnRows, modelOf } from '../fit/fit-rows.ts'
import { fitTexts, measureTexts, measureTextsBy } from '../fit/fit-texts.ts'
import { describeHeld, fewHeld, heldOf, tooFew } from '../fit/hold-out.ts'
import { measurePublished } from '../fit/measure-published.ts'
import { measureLearned, measureRows } from '../fit/measure-rows.ts'
import { type Prepared, readPrepared, rowsOfPrepared, targetOfPrepared, writePrepared } from '../fit/prepared.ts'
import type { Sharing, TuneRequest } from '../fit/try-candidates.ts'
import { type Chosen, tuneRows } from '../fit/tune-rows.ts'
import { tuneTexts } from '../fit/tune-texts.ts'
import { fitInto, type Needs, OutOfRoom, roomOf, tooLargeToRead } from '../memory.ts'
import { readTraining } from '../read-training.ts'
import { stateOfData, TooLarge } from '../refusals.ts'
import { compareHeld } from '../script/compare-held.ts'
import type { ScriptRows } from '../script/held-rows.ts'
import { receiveFile } from './files.ts'
import { createThreadWatch } from './thread-watch.ts'

const apart: ModelProcessSettings = workerData

/** A task of a thread. Data come as bytes or through the port, which takes log lines and progress back. */
export type Task = (
  | {
      readonly kind: 'read'
      readonly request: TrainingRequest
      readonly files: readonly string[]
      /** Bytes that it may take itself, and that the steps after it may. */
      readonly given: number
      readonly max: number
    }
  | {
      readonly kind: 'tune'
      readonly request: TuneRequest
      readonly prepared: Uint8Array
      /** A thread that helps chooses nothing. */
      readonly sharing?: Sharing
    }
  | { readonly kind: 'fit' | 'measure'; readonly request: FitRequest; readonly prepared: Uint8Array }
  | {
      /** Compares the rows held out, of the file that comes through the port; where all of it is, a second one was learnt from. */
      readonly kind: 'compare'
      readonly file: Uint8Array
      readonly format: FormatName
      readonly layout: Layout
      readonly held?: ScriptRows['held']
    }
  /** Asks a version that was published before for the rows held out. */
  | { readonly kind: 'published'; readonly file: Uint8Array; readonly prepared: Uint8Array }
  | {
      readonly kind: 'check'
      readonly file: Uint8Array
      readonly sample: readonly ReadRow[]
      readonly expected: Expected | undefined
    }
) & { readonly port: MessagePort; readonly gate: Int32Array }

export type Read = {
  readonly prepared: Uint8Array
  readonly rows: number
  readonly needs: Needs
  /** How the data were read where they might have been meant otherwise. */
  readonly notes: readonly string[]
}

/** A refusal keeps its words: classes of errors do not cross threads. */
export type Answer =
  | { readonly read: Read }
  /** The data need more memory than was given, and there may be as much. */
  | { readonly outOfRoom: true }
  | { readonly chosen: Chosen }
  /** `metrics`: of a model that does not learn from the rows held out. */
  | { readonly fitted: FittedModel; readonly metrics?: object }
  | { readonly metrics: object }
  | { readonly checked: true }
  | { readonly refused: string; readonly state: TrainingState }

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default async function runTask(task: Task): Promise<object> {
  try {
    return handOver(await answerOf(task, createThreadWatch(task.port)))
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message, state: stateOfData(error) }
    throw error
  } finally {
    task.port.close()
  }
}

/** The bytes of the data leave the thread without a copy. */
function handOver(answer: Answer): object {
  if (!('read' in answer)) return answer
  const bytes = answer.read.prepared.buffer
  return move({ [transferableSymbol]: [bytes], [valueSymbol]: answer })
}

async function answerOf(task: Task, watch: FitWatch): Promise<Answer> {
  const guard = guardOf(task.gate)
  if (task.kind === 'read') return read(task, watch)
  if (task.kind === 'check') {
    await checkModel(task.file, task.sample, task.expected, { guard, apart: createModelProcesses(apart) })
    return { checked: true }
  }
  if (task.kind === 'compare') {
    const { file, format, layout, held, port } = task
    const rows = { source: receiveFile(port, 0), format, layout, held }
    const learnt = held === 'all' ? receiveFile(port, 1) : undefined
    return { metrics: await compareHeld(file, rows, { guard, apart: createModelProcesses(apart) }, learnt) }
  }
  const prepared = readPrepared(task.prepared)
  if (task.kind === 'published')
    return { metrics: await measurePublished(task.file, prepared, { guard, apart: createModelProcesses(apart) }) }
  if (task.kind === 'tune') {
    const { request, sharing } = task
    const tune = () =>
      isOfRows(prepared) ? tuneRows(request, prepared, watch, sharing) : tuneTexts(request, prepared, watch, sharing)
    return { chosen: tune() }
  }
  const { request } = task
  if (task.kind === 'fit') {
    if (prepared.split?.isFile) return fitAndMeasure(request, prepared, watch, guard)
    return { fitted: isOfRows(prepared) ? fitRows(request, prepared, watch) : fitTexts(request, prepared, watch) }
  }
  const { held, rest } = heldOf(prepared)
  if (held.length === 0) return { metrics: { rows: 0, reason: tooFew(rest.length) } }
  const metrics = isOfRows(prepared)
    ? measureRows(request, prepared, watch)
    : await measureTexts(request, prepared, watch, guard)
  return { metrics: { ...metrics, ...fewHeld(held.length), rows_learnt: rest.length } }
}

/** A model that never learns from the file held out is the one to measure, and a fault of the measure fails no training. */
async function fitAndMeasure(
  request: FitRequest,
  prepared: Prepared,
  watch: FitWatch,
  guard: ReturnType<typeof guardOf>,
): Promise<Answer> {
  const { held, rest } = heldOf(prepared)
  const shown = (metrics: object) => ({ ...metrics, ...fewHeld(held.length), rows_learnt: rest.length })
  const failed = (error: unknown) => ({ reason: error instanceof Error ? error.message : String(error) })
  if (!isOfRows(prepared)) {
    const fitted = fitTexts(request, prepared, watch)
    return { fitted, metrics: await measureTextsBy(fitted.file, prepared, guard).then(shown, failed) }
  }
  const learned = learnRows(request, prepared, watch, rest)
  const fitted = modelOf(request, prepared, learned)
  const measured = async () => shown(measureLearned(learned, prepared))
  return { fitted, metrics: await measured().catch(failed) }
}

async function read(task: Extract<Task, { kind: 'read' }>, watch: FitWatch): Promise<Answer> {
  const { request, files, port, given, max } = task
  const last = request.holdout?.file === undefined ? undefined : files.length - 1
  const sources = files.map((name, file) => ({ name, open: () => receiveFile(port, file), isHeld: file === last }))
  try {
    const doubts: string[] = []
    const doubt = (sentence: string) => void doubts.push(sentence)
    const whole = await readTraining(request, sources, watch, roomOf(given), doubt)
    const { prepared, needs } = fitInto(max, request, whole, watch)
    if (prepared.kind === 'table') {
      for (const line of describeTable(prepared.table, waysOf(request.algorithm))) watch.log(line)
    }
    if (prepared.split === undefined) watch.log(describeHeld(heldOf(prepared)))
    return {
      read: {
        prepared: writePrepared(prepared),
        rows: rowsOfPrepared(prepared) - (prepared.split?.isFile ? prepared.split.held.length : 0),
        needs,
        notes: [...(prepared.kind === 'table' ? prepared.table.notes : doubts), ...strayWeightsOf(request, prepared)],
      },
    }
  } catch (error) {
    if (!(error instanceof OutOfRoom)) throw error
    if (given < max) return { outOfRoom: true }
    throw new TooLarge(tooLargeToRead(max))
  }
}

/** The log says it as the model is fitted; notes have it too. */
function strayWeightsOf({ parameters }: TrainingRequest, prepared: Prepared): readonly string[] {
  const target = isOfRows(prepared) ? targetOfPrepared(prepared) : undefined
  return target?.kind === 'classes' ? strayWeights(listOf(parameters, 'weight_label'), target.labels) : []
}

function waysOf(name: string): Ways {
  const algorithm = algorithmOf(name)
  return algorithm.learnsFrom === 'rows' ? algorithm : { takesMissing: false, manyWords: 'places' }
}

const isOfRows = (prepared: Prepared) => prepared.kind === 'table' || prepared.kind === 'sparse'
