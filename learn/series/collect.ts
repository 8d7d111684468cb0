import { Refusal } from '../../base/refusal.ts'
import { createIntegers, createNumbers } from '../encoding/growing-list.ts'
import { noNumber } from '../encoding/number.ts'
import { createNumberReader } from '../encoding/number-reader.ts'
import { brokenCell } from '../encoding/table.ts'
import type { Row } from '../formats/row.ts'
import { maxGroups, maxNames } from '../holdout/holder.ts'
import type { SeriesRule } from './rule.ts'

/** Rows in the order of the data; `codes` are places in `names`. A value that is missing is NaN. */
export type SeriesValues = {
  readonly times: Float64Array
  readonly values: Float64Array
  readonly codes: Int32Array
  readonly names: readonly string[]
  /** Rows that no place in a series can be found for. */
  readonly withoutTime: number
  readonly withoutUid: number
}

/** Takes rows whose cells are the time and, where there is one, the uid, and whose target is the value. */
export function createSeriesCollector(rule: SeriesRule, missing?: readonly string[]) {
  const readTime = createNumberReader({ missing, dates: true })
  const readValue = createNumberReader({ missing })
  const times = createNumbers()
  const values = createNumbers()
  const codes = createIntegers()
  const places = new Map<string, number>()
  let characters = 0
  let withoutTime = 0
  let withoutUid = 0

  /** Undefined for a row without a uid. */
  const codeOf = ({ cells }: Row): number | undefined => {
    if (rule.uid === undefined) return 0
    const name = String(cells[1] ?? '')
    if (name === '') return undefined
    const known = places.get(name)
    if (known !== undefined) return known
    characters += name.length
    if (places.size >= maxGroups || characters > maxNames) {
      throw new Refusal(
        `'${rule.uid}', which tells series apart, has too many different values: the limit is ${maxGroups.toLocaleString('en-US')} of them, and 64 MiB of text`,
      )
    }
    places.set(name, places.size)
    return places.size - 1
  }

  return {
    /** The fault of a row that cannot be taken. One whose value alone is none is a missing value of its series. */
    add: (row: Row): string | undefined => {
      const time = readTime(row.cells[0])
      if (time === undefined) {
        const reason = `${noNumber(row.cells[0])} and no time of ISO 8601`
        return brokenCell(row, rule.time, row.places?.columns[0], reason).message
      }
      const code = codeOf(row)
      if (Number.isNaN(time)) withoutTime += 1
      else if (code === undefined) withoutUid += 1
      if (Number.isNaN(time) || code === undefined) return undefined
      const value = readValue(row.target)
      times.push(time)
      codes.push(code)
      values.push(value ?? Number.NaN)
      if (value !== undefined) return undefined
      return brokenCell(row, rule.quantity, row.places?.target, noNumber(row.target)).message
    },
    rows: (): number => times.length(),
    bytes: (): number => 20 * times.length() + 4 * characters,
    finish: (): SeriesValues => ({
      times: times.values(),
      values: values.values(),
      codes: codes.values(),
      names: rule.uid === undefined ? [''] : [...places.keys()],
      withoutTime,
      withoutUid,
    }),
  }
}
