// Runs in a worker thread of `open-block-pool.ts`: the rows of one block, with the sessions that this thread has open.

import { workerData } from 'piscina'
import { Refusal } from '../../base/refusal.ts'
import { type AgreementSums, addAgreement, noAgreement } from '../../learn/agreement.ts'
import type { TextLimits } from '../../learn/algorithms/text/steps.ts'
import { layoutOf, type ModelDescription } from '../../learn/description.ts'
import type { KnownWords } from '../../learn/formats/format.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import { readText } from '../../learn/formats/read-rows.ts'
import { blankLine, isBroken, placeOf, type ReadRow } from '../../learn/formats/row.ts'
import { knownWords } from '../../learn/onnx/known-words.ts'
import type { Prediction } from '../../learn/outside-step.ts'
import { createModelProcesses, type ModelProcessSettings } from '../models/process/model-processes.ts'
import type { Block } from './cut-blocks.ts'
import { createOddities, type Oddity } from './oddities.ts'
import { createOutsideSteps } from './outside-steps.ts'
import { runModel } from './run-model.ts'
import { createSessions, type Session } from './sessions.ts'
import { createThreshold } from './threshold.ts'
import { createPredictionWriter, type PredictFormat } from './write-predictions.ts'

export type BlockTask = {
  /** The key of the model's version, and its file, which threads share. */
  readonly model: string
  readonly file: SharedArrayBuffer
  readonly format: FormatName
  readonly considerTarget: boolean
  readonly output: PredictFormat
  readonly threshold: number | undefined
  readonly block: Block
}

/** Rows of texts, which take the thread of the service too long. */
export type RowsTask = {
  readonly model: string
  readonly file: SharedArrayBuffer
  readonly rows: readonly ReadRow[]
}

export type RowsResult = Awaited<ReturnType<typeof runModel>>

/** The model cannot be asked at all; classes of errors do not cross threads. */
export type Refused = { readonly refused: string; readonly ended?: number }

export type PredictedRows = {
  /** One line for each row: its label, or nothing. */
  readonly text: string
  readonly rows: number
  readonly failed: number
  /** The first few rows that could not be predicted, with their reasons. */
  readonly faults: readonly string[]
  /** Values of the rows that training had not. */
  readonly oddities: readonly Oddity[]
  /** Processes that the model ended over them. */
  readonly ended: number
  readonly agreement: AgreementSums
}

export type BlockResult = PredictedRows | Refused

/** The data that a thread is given when it starts. */
export type ThreadData = {
  /** Set to 1 when the threads are to end. */
  readonly stop: Int32Array
  readonly apart: ModelProcessSettings
  readonly texts: TextLimits
}

const { stop, apart, texts }: ThreadData = workerData
const steps = createOutsideSteps(texts)
const maxFaults = 10

let file: SharedArrayBuffer | undefined
const sessions = createSessions(async () => new Uint8Array(file ?? new ArrayBuffer(0)).slice(), {
  // An idle thread ends after 10 s, and the ends of its models' processes have to be reported before.
  apart: createModelProcesses(apart, { idle_ms: 5_000 }),
  limits: { maxSessions: 4, maxBytes: 64 * 1024 * 1024, maxApart: 1 },
})

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function predictTask(task: BlockTask | RowsTask): Promise<BlockResult | RowsResult | Refused> {
  file = task.file
  return 'rows' in task
    ? sessions.use(task.model, (session) => runModel(session, task.rows, steps)).catch(refusalOf)
    : predictBlock(task)
}

const predictBlock = (task: BlockTask): Promise<BlockResult> => predictRows(task).catch(refusalOf)

async function predictRows(task: BlockTask): Promise<BlockResult> {
  const { text, linesBefore, hasHeader } = task.block
  const header = hasHeader ? 'present' : 'absent'
  const options = { purpose: 'prediction', target: task.considerTarget, header, blanks: true, keys: true } as const
  const description = await sessions.use(task.model, async (session) => session.description)
  const rows = readText(text, task.format, layoutOf(description), options)
  const faults: string[] = []
  const oddities = createOddities(description, task.format, wordsOf(task, description))
  const writer = createPredictionWriter(task.output, description)
  const decide = createThreshold(task.threshold, description)
  const lines: string[] = []
  let [failed, ended, blank] = [0, 0, 0]
  let agreement = noAgreement
  for (let from = 0; from < rows.length; from += description.batch) {
    // Time passes between two batches, and the thread may be asked to end.
    if (Atomics.load(stop, 0) === 1) throw new Error('the service is stopping')
    const batch = rows.slice(from, from + description.batch)
    const results = await predictBatch(task.model, batch, () => {
      ended += 1
    })
    if ('refused' in results) return { ...results, ended }
    for (const [i, result] of results.entries()) {
      const row = batch[i]
      const given = row === undefined || isBroken(row) ? undefined : row
      const key = given?.key ?? (row?.line ?? 0) + linesBefore
      if (isPrediction(result)) {
        oddities.see(row)
        const decided = decide(result)
        if (typeof decided.label !== 'object') agreement = addAgreement(agreement, decided.label, given?.target)
        lines.push(writer.row({ key, ...decided }))
      } else if (result.reason === blankLine) {
        blank += 1
        lines.push(writer.blank)
      } else {
        failed += 1
        const fault = placeOf({ ...result, line: result.line + linesBefore })
        if (faults.length < maxFaults) faults.push(fault)
        lines.push(writer.row({ key, reason: fault }))
      }
    }
  }
  const head = task.block.index === 0 ? writer.head : ''
  return {
    text: head + lines.join(''),
    rows: rows.length - blank,
    failed,
    faults,
    oddities: oddities.found(),
    ended,
    agreement,
  }
}

let known: { readonly model: string; readonly words: KnownWords } | undefined

/** The words that the training of the model saw: a file's blocks have one model, and threads few of them at a time. */
function wordsOf({ model, file }: BlockTask, description: ModelDescription): KnownWords {
  if (known?.model !== model) known = { model, words: knownWords(new Uint8Array(file), description) }
  return known.words
}

/**
 * The rows that a user's model refuses are found by halves; those over which its process ended are given up together,
 * as each of them may have been the one, and the next rows get another process.
 */
async function predictBatch(model: string, rows: readonly ReadRow[], onEnd: () => void): Promise<RowsResult | Refused> {
  let remote: Session['onnx'] | undefined
  try {
    return await sessions.use(model, (session) => {
      remote = session.onnx.hasEnded && session.onnx
      return runModel(session, rows, steps)
    })
  } catch (error) {
    if (remote === undefined || !(error instanceof Refusal)) return refusalOf(error)
    const hasEnded = remote.hasEnded?.() ?? false
    if (hasEnded) onEnd()
    if (rows.length === 1 || hasEnded) {
      return rows.map((row) => (isBroken(row) ? row : { line: row.line, reason: error.message }))
    }
    const half = Math.ceil(rows.length / 2)
    const first = await predictBatch(model, rows.slice(0, half), onEnd)
    if ('refused' in first) return first
    const second = await predictBatch(model, rows.slice(half), onEnd)
    return 'refused' in second ? second : [...first, ...second]
  }
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refusal) return { refused: error.message }
  throw error
}

const isPrediction = (result: object): result is Prediction => 'label' in result
