import { Refusal } from '../../base/refusal.ts'
import { alikeNotes } from '../encoding/alike.ts'
import { createIntegers, createNumbers } from '../encoding/growing-list.ts'
import { createJudge } from '../encoding/judge.ts'
import { noNumber, toNumber } from '../encoding/number.ts'
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
  /** How the rows were read where they might have been meant otherwise. */
  readonly notes: readonly string[]
}

const count = (some: number): string => some.toLocaleString('en-US')

/** Takes rows whose cells are the time and, where there is one, the uid, and whose target is the value. */
export function createSeriesCollector(rule: SeriesRule, missing?: readonly string[]) {
  const readTime = createNumberReader({ missing, dates: true })
  const readValue = createNumberReader({ missing })
  const judge = createJudge(readValue)
  let dates = 0
  const times = createNumbers()
  const values = createNumbers()
  const codes = createIntegers()
  const places = new Map<string, number>()
  let characters = 0
  let withoutTime = 0
  let withoutUid = 0
  let bad = 0

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

  const notesOfTime = (): readonly string[] =>
    dates === 0 || dates === times.length()
      ? []
      : [
          `${count(times.length() - dates)} of ${count(times.length())} times are numbers and ${count(dates)} are dates, taken as microseconds since 1970`,
        ]
  const of = (attribute: string, found: readonly string[]): readonly string[] =>
    found.map((note) => `attribute '${attribute}': ${note}`)

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
      judge.see(row.target, value)
      if (toNumber(row.cells[0]) === undefined) dates += 1
      times.push(time)
      codes.push(code)
      values.push(value ?? Number.NaN)
      if (value !== undefined) return undefined
      bad += 1
      return brokenCell(row, rule.quantity, row.places?.target, noNumber(row.target)).message
    },
    /** The rows with a value, or without one; those with a bad one are not among them. */
    good: (): number => times.length() - bad,
    bytes: (): number => 20 * times.length() + 4 * characters,
    finish: (): SeriesValues => ({
      times: times.values(),
      values: values.values(),
      codes: codes.values(),
      names: rule.uid === undefined ? [''] : [...places.keys()],
      withoutTime,
      withoutUid,
      notes: [
        ...of(rule.time, notesOfTime()),
        ...(rule.uid === undefined ? [] : of(rule.uid, alikeNotes([...places.keys()]))),
        ...(judge.kind() === 'number' ? of(rule.quantity, judge.notes()) : []),
      ],
    }),
  }
}
