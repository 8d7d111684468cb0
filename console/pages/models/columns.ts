/** The columns of a file, as its first rows show them. The service judges by all rows, and has the last word. */

export type ColumnType = 'number' | 'date' | 'word'

export type Column = {
  readonly name: string
  readonly position: number
  readonly type: ColumnType
  /** All numbers are whole. */
  readonly isWhole: boolean
  readonly filled: number
  readonly missing: number
  readonly distinct: number
  /** The most frequent values with their rows, most frequent first. */
  readonly values: readonly (readonly [value: string, rows: number])[]
  readonly min?: number
  readonly max?: number
}

const missingWords = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-'])
const isMissing = (cell: string): boolean => missingWords.has(cell.trim().toLowerCase())
const isNumber = (cell: string): boolean => /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(cell)
const isDate = (cell: string): boolean =>
  /^\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\s*$/.test(cell)

/** Whether a first row names the columns: no cell of it is a number or a date, and none is there twice. */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows
  if (!first || others.length === 0) return false
  const names = first.map((cell) => cell.trim())
  if (names.some((name) => name === '' || isNumber(name) || isDate(name))) return false
  if (new Set(names).size < names.length) return false
  const isElsewhere = (name: string, place: number) => others.some((row) => row[place]?.trim() === name)
  return !names.some(isElsewhere)
}

export function columnsOf(rows: readonly (readonly string[])[], isHeader: boolean): Column[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const data = isHeader ? rows.slice(1) : rows
  return Array.from({ length: width }, (_, position) => {
    const name = (isHeader ? rows[0]?.[position]?.trim() : '') || `column_${position + 1}`
    return columnOf(
      name,
      position,
      data.map((row) => row[position] ?? ''),
    )
  })
}

function columnOf(name: string, position: number, cells: readonly string[]): Column {
  const there = cells.filter((cell) => !isMissing(cell))
  const shareOf = (test: (cell: string) => boolean) => there.filter(test).length / Math.max(1, there.length)
  const type = there.length > 0 && shareOf(isNumber) >= 0.95 ? 'number' : shareOf(isDate) >= 0.95 ? 'date' : 'word'
  // An empty word is missing, `-` and `none` are words like others.
  const filled = type === 'word' ? cells.filter((cell) => cell.trim() !== '') : there
  const counts = new Map<string, number>()
  for (const cell of filled) counts.set(cell.trim(), (counts.get(cell.trim()) ?? 0) + 1)
  const numbers = type === 'number' ? filled.filter(isNumber).map(Number) : []
  return {
    ...{ name, position, type },
    isWhole: numbers.length > 0 && numbers.every(Number.isInteger),
    filled: filled.length,
    missing: cells.length - filled.length,
    distinct: counts.size,
    values: [...counts].sort(([, a], [, b]) => b - a).slice(0, 30),
    ...(numbers.length > 0 && {
      min: numbers.reduce((least, value) => Math.min(least, value)),
      max: numbers.reduce((most, value) => Math.max(most, value)),
    }),
  }
}

export type Task = 'classes' | 'numbers'

/** As the service decides where nothing is said: words and up to 20 whole numbers are classes. */
export const taskOf = ({ type, isWhole, distinct }: Column): Task =>
  type === 'word' || (isWhole && distinct <= 20) ? 'classes' : 'numbers'

const usualNames =
  /^(?:target|label|class|outcome|result|y|churn(?:ed)?|survived|species|price|medv|diagnosis|fraud|default|gone|weather|quality|category|sentiment|verdict|is_?\w+)$/i

/** The column that a reader most likely wants to predict: one that is called so, else the last one that may be. */
export function suggestedTarget(columns: readonly Column[]): Column | undefined {
  const good = columns.filter((column) => targetFault(column) === undefined)
  return good.find(({ name }) => usualNames.test(name)) ?? good.at(-1)
}

/** Why a column cannot well be predicted. */
export function targetFault(column: Column): string | undefined {
  const { type, distinct, filled } = column
  if (filled === 0) return 'it is empty'
  if (distinct < 2) return 'it has one value alone'
  if (type === 'date') return 'it holds dates'
  if (type === 'word' && distinct > 20 && distinct > filled / 2) return 'nearly every row has another word'
  return undefined
}

/** Columns that tell rows apart and say nothing of them, such as row numbers and names. */
export const looksLikeKey = ({ name, type, isWhole, distinct, filled }: Column): boolean =>
  filled > 20 &&
  distinct === filled &&
  (type === 'word' || (isWhole && /^(?:id|_id|no|nr|index|row|key|.*[_ ]id|unnamed.*)$/i.test(name)))
