// Runs in a worker thread of `open-block-pool.ts`: the rows of one block, with the sessions that this thread has open.

import { workerData } from 'piscina'
import type { TextLimits } from '../algorithms/text/steps.ts'
import { type ApartSettings, createApart } from '../apart/open-apart.ts'
import { layoutOf } from '../description.ts'
import type { FormatName } from '../formats/index.ts'
import { readText } from '../formats/read-rows.ts'
import { isBroken, placeOf, type ReadRow } from '../formats/row.ts'
import { type AgreementSums, addAgreement, noAgreement } from './agreement.ts'
import type { Block } from './cut-blocks.ts'
import { createOutsideSteps } from './outside-steps.ts'
import { type Prediction, runModel } from './run-model.ts'
import { createSessions, type Session } from './sessions.ts'

export type BlockTask = {
  /** The key of the model's version, and its file, which threads share. */
  readonly model: string
  readonly file: SharedArrayBuffer
  readonly format: FormatName
  readonly considerTarget: boolean
  readonly block: Block
}

/** Rows of texts, which take the thread of the service too long. */
export type RowsTask = {
  readonly model: string
  readonly file: SharedArrayBuffer
  readonly rows: readonly ReadRow[]
}

export type RowsResult = Awaited<ReturnType<typeof runModel>>

export type BlockResult = {
  /** One line for each row: its label, or nothing. */
  readonly text: string
  readonly rows: number
  readonly failed: number
  /** The first few rows that could not be predicted, with their reasons. */
  readonly faults: readonly string[]
  readonly agreement: AgreementSums
}

/** What a thread is given when it starts. */
export type ThreadData = {
  /** Set to 1 when the threads are to end. */
  readonly stop: Int32Array
  readonly apart: ApartSettings
  readonly texts: TextLimits
}

const { stop, apart, texts }: ThreadData = workerData
const steps = createOutsideSteps(texts)
const maxFaults = 10

let file: SharedArrayBuffer | undefined
const sessions = createSessions(async () => new Uint8Array(file ?? new ArrayBuffer(0)).slice(), {
  apart: createApart(apart),
  limits: { maxSessions: 4, maxBytes: 64 * 1024 * 1024, maxApart: 1 },
})

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function predictTask(task: BlockTask | RowsTask): Promise<BlockResult | RowsResult> {
  file = task.file
  return 'rows' in task
    ? sessions.use(task.model, (session) => runModel(session, task.rows, steps))
    : predictBlock(task)
}

function predictBlock(task: BlockTask): Promise<BlockResult> {
  return sessions.use(task.model, async (session) => {
    const options = { purpose: 'prediction', target: task.considerTarget } as const
    const { text, linesBefore } = task.block
    const rows = readText(text, task.format, layoutOf(session.description), options)
    const results = await runUnlessStopped(session, rows)
    const faults: string[] = []
    let failed = 0
    let agreement = noAgreement
    const lines = results.map((result, i) => {
      if (isPrediction(result)) {
        const row = rows[i]
        const target = row === undefined || isBroken(row) ? undefined : row.target
        if (typeof result.label !== 'object') agreement = addAgreement(agreement, result.label, target)
        return `${lineOf(result.label)}\n`
      }
      failed += 1
      if (faults.length < maxFaults) faults.push(placeOf({ ...result, line: result.line + linesBefore }))
      return '\n'
    })
    return { text: lines.join(''), rows: lines.length, failed, faults, agreement }
  })
}

/** Time passes between two batches, and the thread may be asked to end. */
async function runUnlessStopped(session: Session, rows: readonly ReadRow[]) {
  const { batch } = session.description
  const results: Awaited<ReturnType<typeof runModel>>[number][] = []
  for (let from = 0; from < rows.length; from += batch) {
    if (Atomics.load(stop, 0) === 1) throw new Error('the service is stopping')
    for (const result of await runModel(session, rows.slice(from, from + batch), steps)) results.push(result)
  }
  return results
}

const isPrediction = (result: object): result is Prediction => 'label' in result

const lineOf = (label: Prediction['label']): string =>
  typeof label === 'object' ? JSON.stringify(label) : String(label).replace(/[\r\n]+/g, ' ')
