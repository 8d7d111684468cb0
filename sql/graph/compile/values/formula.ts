import type { Expression } from '../../../expression/index.ts'
import type { Params } from '../../../query/compile/condition.ts'
import type { DateFormat, Formula } from '../../ast.ts'
import { amountOf, type Cell, numberIn } from './cell.ts'
import { datePart } from './dates.ts'

/** An expression as Nullable(Float64): NULL where an operand is missing or any step has no finite value. */

export type FormulaContext = {
  /** The Nullable(Float64) that stands for `$name`. */
  readonly amount: (name: string) => string
  /** The time of the query in microseconds. */
  readonly now_us: number
  readonly params: Params
}

type Call = (operands: readonly string[], context: FormulaContext) => string

const finite = (value: string): string => `arrayMap(v -> if(isFinite(v), v, NULL), [${value}])[1]`
const unary =
  (name: string): Call =>
  ([x = 'NULL']) =>
    finite(`${name}(${x})`)

/** ClickHouse's own functions pass over NULL. Each operand stands once, or nested calls would double the statement. */
const ofAll =
  (name: string): Call =>
  (operands) => {
    const names = operands.map((_, index) => `o${index}`)
    const isMissing = names.map((each) => `isNull(${each})`).join(' OR ')
    const values = operands.map((operand) => `[${operand}]`).join(', ')
    return `arrayMap((${names.join(', ')}) -> if(${isMissing}, NULL, ${name}(${names.join(', ')})), ${values})[1]`
  }

/** By the names of sql/expression, and those that graphs have beside them. */
const calls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['ABS', unary('abs')],
  ['SQRT', unary('sqrt')],
  ['POW', ([base = 'NULL', exponent = 'NULL']) => finite(`pow(${base}, ${exponent})`)],
  ['EXP', unary('exp')],
  ['LN', unary('log')],
  ['LOG2', unary('log2')],
  ['LOG10', unary('log10')],
  ['FLOOR', unary('floor')],
  ['CEIL', unary('ceil')],
  // Half away from zero; ClickHouse's own goes to the even neighbour.
  ['ROUND', ([x = 'NULL']) => `arrayMap(v -> sign(v) * floor(abs(v) + 0.5), [${x}])[1]`],
  ['MIN', ofAll('least')],
  ['MAX', ofAll('greatest')],
  ['CURTIME', (_, { now_us, params }) => params.add(now_us, 'Float64')],
  ['DATE', ([x = 'NULL']) => x],
  ['DATE_YEAR', ([x = 'NULL']) => datePart('year', x)],
  ['DATE_MONTH', ([x = 'NULL']) => datePart('month', x)],
  ['DATE_DAY', ([x = 'NULL']) => datePart('day', x)],
])

export function compileFormula(expression: Expression, context: FormulaContext): string {
  const compile = (node: Expression): string => {
    switch (node.kind) {
      case 'number':
        return context.params.add(node.value, 'Float64')
      case 'attribute':
        return context.amount(node.name)
      case 'negate':
        return `negate(${compile(node.operand)})`
      case 'chain':
        return node.rest.reduce(
          (left, { operator, operand }) => finite(`(${left} ${operator} ${compile(operand)})`),
          compile(node.first),
        )
      case 'call': {
        const call = calls.get(node.name)
        if (call === undefined) throw new Error(`no function ${node.name}`)
        return call(node.operands.map(compile), context)
      }
      default:
        throw new Error(`no ${node.kind} in a formula`)
    }
  }
  return `CAST(${compile(expression)}, 'Nullable(Float64)')`
}

/** The value of a formula, whose `$name` stands for a cell: a number, or a date's text. */
export function formulaCell(
  { expression, format }: Formula,
  { cell, now_us, params }: Omit<FormulaContext, 'amount'> & { readonly cell: (name: string) => Cell },
): Cell {
  const compiled = (read: (cell: Cell) => string): string =>
    compileFormula(expression, { amount: (name) => read(cell(name)), now_us, params })
  if (format === undefined) return { kind: 'number', sql: compiled(amountOf) }
  const date = format.of === 'date' ? compiled(amountOf) : microsecondsOfTimestamp(compiled(numberIn))
  return { kind: 'json', sql: formattedDate(date, format, params) }
}

/** Dates as text, in UTC. */

/** Letters of strftime that ClickHouse has under another one, or not at all. */
const letters: Readonly<Record<string, string>> = {
  '%M': '%i',
  '%A': '%W',
  '%B': '%M',
  '%P': '%p',
  '%X': '%T',
  '%Z': 'UTC',
}

/** The bounds of the years 1900 to 2299, those of ClickHouse's calendar. */
const [first_us, end_us] = [-2_208_988_800e6, 10_413_792_000e6]

/** JSON text of Nullable(Float64) microseconds, '' where they are missing or no date of these years. */
function formattedDate(microseconds: string, { text }: DateFormat, params: Params): string {
  const format = params.add(
    text.replace(/%./gsu, (letter) => letters[letter] ?? letter),
    'String',
  )
  const isDate = `ifNull(m >= ${first_us} AND m < ${end_us}, 0)`
  const time = `fromUnixTimestamp64Micro(toInt64(assumeNotNull(if(${isDate}, m, 0.))), 'UTC')`
  return `arrayMap(m -> if(${isDate}, toJSONString(formatDateTime(${time}, ${format})), ''), [${microseconds}])[1]`
}

/** Seconds, milliseconds or microseconds since 1970, told by their size: up to the year 5138 they cannot be confused. */
const microsecondsOfTimestamp = (amount: string): string =>
  `arrayMap(v -> v * multiIf(abs(v) < 1e11, 1e6, abs(v) < 1e14, 1e3, 1), [${amount}])[1]`
