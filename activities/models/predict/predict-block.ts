// Runs in a worker thread of `open-block-pool.ts`: the rows of one block, with the sessions that this thread has open.

import { workerData } from 'piscina'
import { layoutOf } from '../description.ts'
import type { FormatName } from '../formats/index.ts'
import { readText } from '../formats/read-rows.ts'
import { isBroken, placeOf, type ReadRow } from '../formats/row.ts'
import { type AgreementSums, addAgreement, noAgreement } from './agreement.ts'
import type { Block } from './cut-blocks.ts'
import { outsideSteps } from './outside-steps.ts'
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

export type BlockResult = {
  /** One line for each row: its label, or nothing. */
  readonly text: string
  readonly rows: number
  readonly failed: number
  /** The first few rows that could not be predicted, with their reasons. */
  readonly faults: readonly string[]
  readonly agreement: AgreementSums
}

const maxFaults = 10

let file: SharedArrayBuffer | undefined
const sessions = createSessions(async () => new Uint8Array(file ?? new ArrayBuffer(0)).slice(), {
  maxSessions: 4,
  maxBytes: 64 * 1024 * 1024,
})

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function predictBlock(task: BlockTask): Promise<BlockResult> {
  file = task.file
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

/** Set to 1 when the threads are to end. */
const stop = workerData instanceof Int32Array ? workerData : new Int32Array(1)

/** Time passes between two batches, and the thread may be asked to end. */
async function runUnlessStopped(session: Session, rows: readonly ReadRow[]) {
  const { batch } = session.description
  const results: Awaited<ReturnType<typeof runModel>>[number][] = []
  for (let from = 0; from < rows.length; from += batch) {
    if (Atomics.load(stop, 0) === 1) throw new Error('the service is stopping')
    for (const result of await runModel(session, rows.slice(from, from + batch), outsideSteps)) results.push(result)
  }
  return results
}

const isPrediction = (result: object): result is Prediction => 'label' in result

const lineOf = (label: Prediction['label']): string =>
  typeof label === 'object' ? JSON.stringify(label) : String(label).replace(/[\r\n]+/g, ' ')
