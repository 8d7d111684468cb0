/** Comparisons and arithmetic on plain values, by the rules of docs/graph-language.md. */
import type { Expression } from '../../../../sql/expression/index.ts'
import type { Comparison, Reference } from '../../../../sql/graph/index.ts'

export type Cell = unknown

const isDate = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Microseconds of a date's text. */
export function microseconds(text: string): number | undefined {
  const found = isDate.exec(text)
  if (!found || /^\d{4}-?\d\d-?\d\d$/.test(text) !== (found[4] === undefined)) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = found
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`)
  const back = new Date(Date.parse(`${year}-${month}-${day}T00:00:00Z`))
  return Number.isNaN(time) || back.getUTCDate() !== Number(day) ? undefined : time * 1000
}

/** A cell as a number where one is needed: a date counts as microseconds. */
export function amount(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell
  return typeof cell === 'string' ? microseconds(cell) : undefined
}

const asText = (cell: Cell): string =>
  typeof cell === 'string' ? cell : typeof cell === 'number' ? String(cell) : JSON.stringify(cell)

const bytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

const order: Readonly<Record<string, (sign: number) => boolean>> = {
  '=': (sign) => sign === 0,
  '!=': (sign) => sign !== 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
}

export type CellOf = (reference: Reference) => Cell
const nothing: CellOf = () => undefined

const isTextual = (cell: Cell): cell is string | boolean => typeof cell === 'string' || typeof cell === 'boolean'

/** Numbers compare with numbers and texts with texts; anything else is equal or not. */
function comparesCells(left: Cell, operator: string, right: Cell): boolean {
  if (left === undefined || right === undefined) return false
  if (operator === '~' || operator === '!~') return asText(left).includes(asText(right)) === (operator === '~')
  const holds = order[operator] ?? (() => false)
  if (typeof left === 'number' && typeof right === 'number') return holds(Math.sign(left - right))
  if (isTextual(left) && isTextual(right)) return holds(bytes(asText(left), asText(right)))
  const isEqual = JSON.stringify(left) === JSON.stringify(right)
  return operator === '=' ? isEqual : operator === '!=' && !isEqual
}

export function compares(
  cell: Cell,
  { operator, value }: Pick<Comparison<unknown>, 'operator' | 'value'>,
  cellOf: CellOf = nothing,
): boolean {
  if (value.kind === 'reference') return comparesCells(cell, operator, cellOf(value))
  const isMissing = cell === undefined
  if (value.kind === 'missing') return isMissing === (operator === '~')
  if (isMissing) return false
  if (operator === '~' || operator === '!~') {
    const text = asText(cell)
    return (value.kind === 'starts' ? text.startsWith(value.text) : text.includes(value.text)) === (operator === '~')
  }
  const holds = order[operator] ?? (() => false)
  if (value.kind === 'number') {
    return typeof cell === 'number' ? holds(Math.sign(cell - Number(value.text))) : operator === '!='
  }
  if (typeof cell !== 'string' && typeof cell !== 'boolean') return operator === '!='
  const text = asText(cell)
  if (value.kind === 'starts' && (operator === '=' || operator === '!=')) {
    return text.startsWith(value.text) === (operator === '=')
  }
  return holds(bytes(text, value.text))
}

/** An expression is a number, and beside it a date's text is one too. */
export function comparesAmount(
  cell: number | undefined,
  comparison: Pick<Comparison<unknown>, 'operator' | 'value'>,
  cellOf: CellOf = nothing,
): boolean {
  const { operator, value } = comparison
  if (value.kind === 'reference' && operator !== '~' && operator !== '!~') {
    const other = cellOf(value)
    const right = amount(other)
    if (right !== undefined) return comparesCells(cell, operator, right)
    return operator === '!=' && cell !== undefined && other !== undefined
  }
  const date = value.kind === 'text' && operator !== '~' && operator !== '!~' ? microseconds(value.text) : undefined
  if (date === undefined) return compares(cell, comparison, cellOf)
  return compares(cell, { operator, value: { kind: 'number', text: String(date) } })
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)

const functions: Readonly<Record<string, (...operands: number[]) => number>> = {
  ABS: Math.abs,
  ROUND: (x) => Math.sign(x) * Math.round(Math.abs(x)),
  MIN: Math.min,
  MAX: Math.max,
  POW: (base, exponent) => base ** exponent,
  SQRT: Math.sqrt,
  FLOOR: Math.floor,
  DATE: (x) => x,
  DATE_YEAR: (x) => new Date(Math.floor(x / 1000)).getUTCFullYear(),
  DATE_MONTH: (x) => new Date(Math.floor(x / 1000)).getUTCMonth() + 1,
  DATE_DAY: (x) => new Date(Math.floor(x / 1000)).getUTCDate(),
}

export const now_us = 1_700_000_000_000_000

export function evaluate(node: Expression, get: (name: string) => number | undefined): number | undefined {
  switch (node.kind) {
    case 'number':
      return node.value
    case 'attribute':
      return get(node.name)
    case 'negate': {
      const operand = evaluate(node.operand, get)
      return operand === undefined ? undefined : -operand
    }
    case 'call': {
      if (node.name === 'CURTIME') return now_us
      const operands = node.operands.map((operand) => evaluate(operand, get))
      const apply = functions[node.name]
      if (!apply || operands.some((operand) => operand === undefined)) return undefined
      return finite(apply(...operands.map(Number)))
    }
    case 'chain':
      return node.rest.reduce<number | undefined>(
        (left, { operator, operand }) => {
          const right = evaluate(operand, get)
          if (left === undefined || right === undefined) return undefined
          const values = {
            '+': left + right,
            '-': left - right,
            '*': left * right,
            '/': left / right,
            '%': left % right,
          }
          return finite(values[operator])
        },
        evaluate(node.first, get),
      )
    default:
      throw new Error(`no ${node.kind} in a formula`)
  }
}
