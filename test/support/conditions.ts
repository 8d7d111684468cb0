/** Conditions on events, at random, each as text of the query language and as a function on an event. */
import type { Random } from './random/random.ts'

export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value }
export type Event = { [name: string]: Value }
export type RandomCondition = { readonly text: string; matches(event: Event): boolean }

export type Place = {
  readonly path: string
  /** The type of a declared attribute; absent where any literal may stand. */
  readonly type?: 'string' | 'number' | 'boolean'
  /** Whether the value that it is compared with becomes a double. */
  readonly isDouble?: boolean
}

const operators = ['=', '!=', '<>', '>', '>=', '<', '<='] as const

/** A member or an element, and so on down; undefined where there is none. */
export function valueAt(event: Event, path: string): Value | undefined {
  let value: Value | undefined = event
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined
    else value = Object.hasOwn(value, part) ? value[part] : undefined
  }
  return value
}

const kindOf = (value: Value | undefined): string => (typeof value === 'bigint' ? 'number' : typeof value)

/** Text compares by its bytes. */
function order(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  const [a, b] = [left, right] as [number, number]
  return a < b ? -1 : a > b ? 1 : 0
}

const holds: Readonly<Record<(typeof operators)[number], (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
}

const quoted = (random: Random, text: string): string => {
  const inJson = JSON.stringify(text)
  return random.chance(0.5) ? inJson : `'${inJson.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "''")}'`
}

const written = (random: Random, literal: Value): string =>
  typeof literal === 'string' ? quoted(random, literal) : String(literal)

function comparison(random: Random, places: readonly Place[], literals: readonly Value[]): RandomCondition {
  const { path, type, isDouble } = random.pick(places)
  const fitting = literals.filter((literal) => type === undefined || kindOf(literal) === type)
  const literal = random.pick(fitting)
  if (typeof literal === 'string' && random.chance(0.2)) {
    const prefix = [...literal].slice(0, random.whole(0, 2)).join('')
    return {
      text: `${path} like ${quoted(random, `${prefix}${random.pick(['*', '$%'])}`)}`,
      matches: (event) => {
        const value = valueAt(event, path)
        return typeof value === 'string' && value.startsWith(prefix)
      },
    }
  }
  const operator = random.pick(operators)
  return {
    text: `${path} ${operator} ${written(random, literal)}`,
    matches: (event) => {
      const value = valueAt(event, path)
      if (value === undefined || kindOf(value) !== kindOf(literal)) return false
      const isFraction = typeof value === 'number' && !Number.isSafeInteger(value)
      const other = typeof literal === 'bigint' && (isDouble || isFraction) ? Number(literal) : literal
      return holds[operator](order(value, other))
    },
  }
}

/** `and` binds tighter than `or`; brackets stand where they are needed, and sometimes where not. */
export function randomCondition(
  random: Random,
  places: readonly Place[],
  literals: readonly Value[],
  depth = 3,
): RandomCondition {
  if (depth === 0 || random.chance(0.4)) return comparison(random, places, literals)
  const word = random.pick(['and', 'or', 'AND', 'Or'])
  const isAnd = word.toLowerCase() === 'and'
  const terms = Array.from({ length: random.whole(2, 3) }, () => randomCondition(random, places, literals, depth - 1))
  const texts = terms.map(({ text }) => (isAnd || random.chance(0.3) ? `(${text})` : text))
  return {
    text: texts.join(` ${word} `),
    matches: (event) =>
      isAnd ? terms.every((term) => term.matches(event)) : terms.some((term) => term.matches(event)),
  }
}
