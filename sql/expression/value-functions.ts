/** Functions of events' expressions over values of all kinds; those over numbers alone are in functions.ts. */
import { numberHash } from '../../base/number-hash.ts'
import type { Expression } from './ast.ts'
import { createSearch } from './regex.ts'
import { longestText, type Value } from './values.ts'

export type ValueType = 'number' | 'text' | 'boolean' | 'any'

/** Of values that are all there; undefined is missing. */
type Apply = (values: readonly Value[]) => Value | undefined

type Typed = {
  readonly arity: readonly [number, number]
  /** By place; the last one holds for all behind it. */
  readonly operands: readonly ValueType[]
  readonly result: ValueType
}
/** `prepare` is of a function that knows an operand before there are events. */
type Strict = Typed & ({ readonly apply: Apply } | { prepare(operands: readonly Expression[]): Apply })

const whole = (value: Value | undefined): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined

const bounded = (text: string): string | undefined => (text.length > longestText ? undefined : text)

const ofText = (apply: (text: string) => Value, result: ValueType = 'text'): Strict => ({
  arity: [1, 1],
  operands: ['text'],
  result,
  apply: ([text]) => (typeof text === 'string' ? apply(text) : undefined),
})

const noSurrogates = /^[^\ud800-\udfff]*$/

/** Places count code points from 1, and below 0 from the end. */
function part(text: string, from: number, length = Number.POSITIVE_INFINITY): string | undefined {
  if (from === 0 || length < 0) return undefined
  const points = noSurrogates.test(text) ? text : [...text]
  const start = from > 0 ? from - 1 : Math.max(0, points.length + from)
  const taken = points.slice(start, Math.min(points.length, start + length))
  return typeof taken === 'string' ? taken : taken.join('')
}

/** The same for the same values always; `1` and `'1'` are two, and so are `'a', 'bc'` and `'ab', 'c'`. */
const hashOf = (values: readonly Value[]): number =>
  numberHash(
    values
      .map((value) => {
        const [kind, text] = [typeof value === 'string' ? 's' : typeof value === 'boolean' ? 'b' : 'n', String(value)]
        return `${kind}${text.length}:${text}`
      })
      .join(''),
  )

const strict: readonly (readonly [string, Strict])[] = [
  [
    'CONCAT',
    {
      arity: [1, 100],
      operands: ['any'],
      result: 'text',
      apply: (values) => bounded(values.map(String).join('')),
    },
  ],
  [
    'SUBSTR',
    {
      arity: [2, 3],
      operands: ['text', 'number', 'number'],
      result: 'text',
      apply([text, from, length]) {
        const [start, count] = [whole(from), whole(length)]
        if (start === undefined || (length !== undefined && count === undefined)) return undefined
        return part(String(text), start, count)
      },
    },
  ],
  [
    'SPLIT',
    {
      arity: [3, 3],
      operands: ['text', 'text', 'number'],
      result: 'text',
      apply([text, separator, which]) {
        const place = whole(which)
        if (place === undefined || separator === '') return undefined
        const parts = String(text).split(String(separator))
        return place > 0 ? parts[place - 1] : place < 0 ? parts.at(place) : undefined
      },
    },
  ],
  [
    'REPLACE',
    {
      arity: [3, 3],
      operands: ['text', 'text', 'text'],
      result: 'text',
      apply([text, what, by]) {
        if (what === '') return text
        const parts = String(text).split(String(what))
        const added = (parts.length - 1) * (String(by).length - String(what).length)
        return String(text).length + added > longestText ? undefined : parts.join(String(by))
      },
    },
  ],
  [
    'REGEX',
    {
      arity: [2, 2],
      operands: ['text', 'text'],
      result: 'text',
      prepare([, pattern]) {
        const search = createSearch(pattern?.kind === 'text' ? pattern.value : '')
        return ([text]) => (typeof text === 'string' ? search(text) : undefined)
      },
    },
  ],
  ['TRIM', ofText((text) => text.trim())],
  ['UPPER', ofText((text) => text.toUpperCase())],
  ['LOWER', ofText((text) => text.toLowerCase())],
  ['LENGTH', ofText((text) => (noSurrogates.test(text) ? text.length : [...text].length), 'number')],
  ['HASH', { arity: [1, 100], operands: ['any'], result: 'number', apply: hashOf }],
]

export const strictFunctions: ReadonlyMap<string, Strict> = new Map(strict)

/** Functions that look at an operand only where they need its value, and give one of their operands. */
const choices: ReadonlyMap<string, { readonly arity: readonly [number, number] }> = new Map([
  ['IF', { arity: [2, 3] }],
  ['COALESCE', { arity: [1, 100] }],
])

/** The functions of values, each of which is an operation of computed attributes by itself, too. */
export const valueFunctions: ReadonlyMap<string, { readonly arity: readonly [number, number] }> = new Map([
  ...strictFunctions,
  ...choices,
])
