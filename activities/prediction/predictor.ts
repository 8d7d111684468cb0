import type { Event } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { layoutOf } from '../../learn/description.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import { createObjectRow } from '../../learn/formats/json/json.ts'
import { readText } from '../../learn/formats/read-rows.ts'
import { type BrokenRow, isBroken, placeOf, type ReadRow } from '../../learn/formats/row.ts'
import type { OutsideSteps, Prediction } from '../../learn/outside-step.ts'
import { answerOf, type LineAnswer } from './answer.ts'
import { createOddities, lineNoteOf } from './oddities.ts'
import type { TextPool } from './open-text-pool.ts'
import { outsideSteps } from './outside-steps.ts'
import { beyondNumbers, runModel } from './run-model.ts'
import type { Session, Sessions } from './sessions.ts'
import { createThreshold } from './threshold.ts'

/** `model` is the key of a version, as the sessions know it. */
export type LineRequest = {
  readonly model: string
  readonly format: FormatName
  readonly line: string
  readonly considerTarget: boolean
  readonly threshold?: number | undefined
}

export type PredictorOptions = {
  readonly steps?: OutsideSteps
  /** Threads that predict long texts: 1 KB takes some milliseconds. */
  readonly texts?: Pick<TextPool, 'predict'>
}

/** Characters of a line: reading it takes this thread. */
const longestLine = 8 * 2 ** 20

/** Characters, of all rows together. */
const longText = 2048

const lengthOf = (rows: readonly ReadRow[]): number =>
  rows.reduce((sum, row) => sum + (isBroken(row) ? 0 : String(row.cells[0] ?? '').length), 0)

/** Predicts in the calling thread: for single lines and the events of a request, which take well under a millisecond each. */
export function createPredictor(sessions: Sessions, { steps = outsideSteps, texts }: PredictorOptions = {}) {
  const run = (model: string, session: Session, rows: readonly ReadRow[]) =>
    texts !== undefined && session.file !== undefined && lengthOf(rows) > longText
      ? texts.predict({ model, file: session.file, rows })
      : runModel(session, rows, steps)
  return {
    /** Throws a `Refusal` that names the attribute where the line does not fit the model. */
    predictLine: ({ model, format, line, considerTarget, threshold }: LineRequest): Promise<LineAnswer> =>
      sessions.use(model, async (session) => {
        const { description } = session
        if (considerTarget && description.target === undefined) {
          throw new Refusal('the model was trained without a target; consider_target must be 0')
        }
        if (line.length > longestLine)
          throw new Refusal(
            `the data have ${Math.ceil(line.length / 2 ** 20)} MB; a line may have ${longestLine / 2 ** 20}`,
          )
        const decide = createThreshold(threshold, description)
        const options = { purpose: 'prediction', target: considerTarget, header: 'named' } as const
        const rows = readText(line, format, layoutOf(description), options)
        const [row] = rows
        if (row === undefined) throw new Refusal('there is no data to predict')
        if (rows.length > 1) throw new Refusal(`the data have ${rows.length} lines; one is predicted at once`)
        const [prediction] = await run(model, session, rows)
        if (isBroken(row)) throw new Refusal(placeOf(row))
        if (prediction === undefined || 'reason' in prediction) throw new Refusal(reasonOf(prediction))
        const oddities = createOddities(description, format, session.words)
        oddities.see(row)
        const notes = oddities.found().map(lineNoteOf)
        return { ...answerOf(decide(prediction), row.target, description), ...(notes.length > 0 && { notes }) }
      }),

    /** Attributes are taken by name; an event that a model cannot predict comes as a broken row, its line counting from 1. */
    predictObjects: (model: string, objects: readonly Event[]): Promise<readonly (Prediction | BrokenRow)[]> =>
      sessions.use(model, async (session) => {
        const rowOf = createObjectRow(layoutOf(session.description), {
          purpose: 'prediction',
          target: false,
          gaps: true,
        })
        const rows = objects.map((object, i) => rowOf(object, i + 1))
        return run(model, session, rows)
      }),

    /**
     * So many predictions by a model of series, oldest value first: each takes the place of the latest value in the window
     * of the next one. Throws a `Refusal` where one is beyond what a number holds.
     */
    predictOn: (model: string, values: readonly number[], count: number): Promise<readonly number[]> =>
      sessions.use(model, async (session) => {
        const found: number[] = []
        for (let step = 1; step <= count; step += 1) {
          const cells = [...values, ...found].slice(-values.length)
          const [prediction] = await run(model, session, [{ line: 1, cells, target: undefined }])
          if (prediction !== undefined && 'reason' in prediction && prediction.reason === beyondNumbers)
            throw new Refusal(`the forecast goes beyond all numbers after ${step - 1} of ${count} predictions`)
          if (prediction === undefined || 'reason' in prediction) throw new Refusal(reasonOf(prediction))
          found.push(Number(prediction.label))
        }
        return found
      }),

    describe: (model: string) => sessions.use(model, async ({ description }) => description),
  }
}

const reasonOf = (broken: BrokenRow | undefined): string => (broken === undefined ? 'no prediction' : placeOf(broken))

export type Predictor = ReturnType<typeof createPredictor>
