import type { ModelDescription } from '../../learn/description.ts'
import { joinCsv } from '../../learn/formats/csv-cells.ts'
import type { BrokenRow, Cell } from '../../learn/formats/row.ts'
import type { Prediction } from '../../learn/outside-step.ts'

export const predictFormats = ['lines', 'csv', 'json', 'probabilities'] as const
export type PredictFormat = (typeof predictFormats)[number]

/** A row of a file as it is predicted: `key` is the row's own, or the number of its line. */
export type PredictedRow = { readonly key: Cell } & (Prediction | Pick<BrokenRow, 'reason'>)

/** Writes the results of rows; each text ends with a line feed, and there is one for each row. */
export type PredictionWriter = {
  /** Stands before the first row. */
  readonly head: string
  readonly row: (row: PredictedRow) => string
  /** The line that is written for a blank line between rows. */
  readonly blank: string
}

export function createPredictionWriter(format: PredictFormat, description: ModelDescription): PredictionWriter {
  return writers[format](description)
}

const writers: Readonly<Record<PredictFormat, (description: ModelDescription) => PredictionWriter>> = {
  lines: () => ({
    head: '',
    row: (row) => ('reason' in row ? '\n' : `${lineOf(row.label)}\n`),
    blank: '\n',
  }),
  csv: ({ task, labels = [] }) => {
    const names = ['key', memberOf[task], ...labels.map((label) => `p(${label})`), 'failure']
    return {
      head: lineOfCells(names),
      row: (row) => {
        if ('reason' in row) return lineOfCells([row.key, '', ...labels.map(() => ''), row.reason])
        const shares = labels.map((_, place) => row.probabilities?.[place] ?? '')
        return lineOfCells([row.key, lineOf(row.label), ...shares, ''])
      },
      blank: '',
    }
  },
  json: (description) => ({
    head: '',
    row: (row) => {
      if ('reason' in row) return `${JSON.stringify({ key: row.key, failure: row.reason })}\n`
      return `${JSON.stringify({ key: row.key, [memberOf[description.task]]: row.label, ...sharesOf(row, description) })}\n`
    },
    blank: '',
  }),
  // As the answer of a single line.
  probabilities: (description) => ({
    head: '',
    row: (row) =>
      'reason' in row ? '\n' : `${JSON.stringify({ predict_labels: row.label, ...sharesOf(row, description) })}\n`,
    blank: '\n',
  }),
}

const memberOf = { classes: 'label', numbers: 'number', clusters: 'cluster', entities: 'entities' } as const

/** The probabilities of a prediction by label; nothing where the model gives none. */
export function sharesOf({ probabilities }: Prediction, { labels = [] }: ModelDescription) {
  if (probabilities === undefined) return {}
  return { probabilities: Object.fromEntries(labels.map((label, place) => [String(label), probabilities[place] ?? 0])) }
}

const lineOf = (label: Prediction['label']): string =>
  typeof label === 'object' ? JSON.stringify(label) : String(label).replace(/[\r\n]+/g, ' ')

const lineOfCells = (cells: readonly Cell[]): string =>
  `${joinCsv(
    cells.map((cell) => String(cell ?? '')),
    ',',
  )}\n`
