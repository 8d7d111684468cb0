import { isObject, type Json, writeJson } from '../../../base/json.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import { columnsOf, holds, parseWhen, type Row } from '../../../sql/saved/when.ts'
import { idOf, type Key, type Outcome, type Sample } from './states.ts'

/** Keys of one answer. */
export const maxKeys = 10_000
/** Rows of one send, and their characters as JSON. */
const maxRows = 100
const maxRowsText = 64_000

export const failed = (says: string): Outcome => ({ kind: 'failed', says: says.slice(0, 1_000) })

/** The answer of a question as the keys of its watch, or why there are none. */
export function samplesOf(rows: readonly Json[], watch: Watch): Outcome {
  if (rows.length > maxKeys)
    return failed(`the answer has over ${maxKeys} rows: ask for fewer, such as HAVING ${watch.when}`)
  const when = parseWhen(watch.when)
  const [valued = ''] = columnsOf(when)
  const samples = new Map<string, Sample>()
  try {
    for (const row of rows) {
      if (!isObject(row)) return failed('a row of the answer is no object')
      const key = keyIn(row, watch.key)
      const id = idOf('key', key)
      const sample: Sample = { key, holds: holds(when, row), value: row[valued] ?? null, rows: [row] }
      const other = samples.get(id)
      if (other && watch.key.length > 0)
        return failed(
          `the answer has two rows of the key ${writeJson(key).slice(0, 200)}: group by ${watch.key.join(', ')}`,
        )
      samples.set(id, other ? together(other, sample) : sample)
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
  return { kind: 'answered', samples, hasRows: rows.length > 0 }
}

/** Without a key the answer has one state: it holds where a row satisfies the condition, and those rows are told. */
function together(one: Sample, other: Sample): Sample {
  if (!other.holds) return one
  return one.holds ? { ...one, rows: [...one.rows.slice(0, maxRows - 1), ...other.rows] } : other
}

function keyIn(row: Row, columns: readonly string[]): Key {
  return Object.fromEntries(
    columns.map((column) => {
      const value = Object.hasOwn(row, column) ? row[column] : undefined
      if (value === undefined)
        throw new Error(`key: the answer has no column ${column}; it has ${Object.keys(row).slice(0, 20).join(', ')}`)
      return [column, value]
    }),
  )
}

/** As many rows of a send as go into one body. */
export function boundedRows(rows: readonly Json[]): Json[] {
  let room = maxRowsText
  return rows.slice(0, maxRows).filter((row) => {
    room -= writeJson(row).length
    return room >= 0
  })
}

/** States of all watches together that are not inactive. */
const maxAlerts = 200_000

/** The outcome, or a failure where its alerts beside those of all other watches would be too many to be kept. */
export function samplesAllowed(outcome: Outcome, others: number): Outcome {
  if (outcome.kind === 'failed') return outcome
  const holding = [...outcome.samples.values()].filter((sample) => sample.holds).length
  return others + holding > maxAlerts && holding > 1
    ? failed(`all watches together would have over ${maxAlerts} alerts: make fewer keys`)
    : outcome
}
