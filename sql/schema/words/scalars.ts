/** Single values of a definition: each knows its words, and its wire form. */
import type { Json } from '../../../base/json.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import { type CodeTable, decodeCode, encodeCode } from '../codes.ts'
import type { Codec, JsonSchema, Path, Writing } from './codec.ts'

const fail = (to: Writing, at: Path, sentence: string): undefined => {
  to.fail(at, sentence)
}

export const text: Codec = {
  toWire: (words, at, to) => (typeof words === 'string' ? words : fail(to, at, 'must be a text')),
  toWords: (wire) => (typeof wire === 'string' ? wire : undefined),
  schema: { type: 'string' },
}

/** A value that is the same in both forms. */
export const same = (schema: JsonSchema): Codec => ({ toWire: (words) => words, toWords: (wire) => wire, schema })

export const number = same({ type: 'number' })

export const wholeNumberOf = (wire: Json): number | bigint | undefined => {
  if (typeof wire === 'string') return /^\s*-?\d{1,15}\s*$/.test(wire) ? Number(wire) : undefined
  return typeof wire === 'bigint' || Number.isSafeInteger(wire) ? (wire as number | bigint) : undefined
}

export const wholeNumber: Codec = {
  toWire: (words, at, to) =>
    typeof words === 'string' || wholeNumberOf(words) === undefined ? fail(to, at, 'must be a whole number') : words,
  toWords: wholeNumberOf,
  schema: { type: 'integer' },
}

export const names: Codec = {
  toWire: (words, at, to) => {
    const list = typeof words === 'string' ? [words] : words
    if (!Array.isArray(list) || list.some((each) => typeof each !== 'string'))
      return fail(to, at, 'must be a list of names')
    for (const index of list.keys()) to.link(list, index, words === list ? [...at, index] : at)
    return list
  },
  toWords: (wire) => {
    const list = typeof wire === 'string' ? [wire] : wire
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined
  },
  schema: { type: 'array', items: { type: 'string' } },
}

const flags = new Map<Json, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  [false, false],
  [true, true],
])

export const flag: Codec = {
  toWire: (words, at, to) => (typeof words === 'boolean' ? (words ? 1 : 0) : fail(to, at, 'must be true or false')),
  toWords: (wire) => flags.get(wire),
  schema: { type: 'boolean' },
}

/** A word for each name of a table of codes. */
export function choice<Name extends string>(
  what: string,
  table: CodeTable<Name>,
  words: Readonly<Record<NoInfer<Name>, string>>,
  as: 'number' | 'name' = 'number',
): Codec {
  const known = table.entries.map(([, name]) => words[name])
  const nameOf = new Map(table.entries.map(([, name]) => [words[name], name]))
  return {
    toWire(said, at, to) {
      const name = typeof said === 'string' ? nameOf.get(said) : undefined
      if (name !== undefined) return as === 'name' ? name : encodeCode(table, name)
      const given = typeof said === 'string' ? quoted(said) : 'this'
      return fail(to, at, `${given} is no ${what}${hint(typeof said === 'string' ? said : '', known)}`)
    },
    toWords(wire) {
      const code = decodeCode(table, wire)
      return 'name' in code ? words[code.name] : undefined
    },
    schema: { enum: known },
  }
}

const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const
type Unit = keyof typeof units
const shownUnits: readonly Unit[] = ['d', 'h', 'm', 's']

/** Seconds as text: `90d`, `10m`, `0.5s`. */
export function shownDuration(seconds: number): string {
  const unit = Number.isInteger(seconds) ? shownUnits.find((each) => seconds % units[each] === 0) : undefined
  if (unit !== undefined && seconds !== 0) return `${seconds / units[unit]}${unit}`
  // Six places are microseconds; a number has no zeros at its end.
  return `${Number(seconds.toFixed(6))}s`
}

/** The seconds of a text such as `90d`; undefined where the text is no duration. */
export function readDuration(said: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([smhdw])$/.exec(said) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit as Unit] : undefined
  return factor === undefined ? undefined : Number((Number(digits) * factor).toFixed(6))
}

type Bounds = {
  /** Absent: anything over nothing. */
  readonly least?: number
  readonly most: number
  /** The wire has 0 for "for ever". */
  readonly isEndless?: true
  readonly isWhole?: true
}

const durationPattern = '^\\d{1,15}(\\.\\d{1,6})?[smhdw]$'

export function duration({ least, most, isEndless, isWhole }: Bounds): Codec {
  const [orEndless, longest] = [isEndless ? ', or forever' : '', shownDuration(most)]
  const range = least === undefined ? `over 0s and at most ${longest}` : `from ${shownDuration(least)} to ${longest}`
  const wanted = `must be a duration such as 10m, 1h or 90d${orEndless}`
  return {
    toWire(words, at, to) {
      if (isEndless && words === 'forever') return 0
      const seconds = typeof words === 'string' ? readDuration(words) : undefined
      if (seconds === undefined) return fail(to, at, wanted)
      if (seconds <= 0 || seconds < (least ?? 0) || seconds > most) return fail(to, at, `must be ${range}${orEndless}`)
      if (isWhole && !Number.isInteger(seconds)) return fail(to, at, 'must be whole seconds')
      return seconds
    },
    toWords(wire) {
      const seconds =
        typeof wire === 'string' && /^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(wire) ? Number(wire) : Number(wire)
      if (typeof wire === 'boolean' || typeof wire === 'object' || !(seconds >= 0 && seconds <= most)) return undefined
      if (seconds === 0) return isEndless ? 'forever' : undefined
      return Number(seconds.toFixed(6)) > 0 ? shownDuration(seconds) : undefined
    },
    schema: isEndless
      ? { type: 'string', pattern: `^forever$|${durationPattern}` }
      : { type: 'string', pattern: durationPattern },
  }
}

/** A list of values; one stands for a list of one. */
export const listOf = (item: Codec): Codec => ({
  toWire(words, at, to) {
    const list = Array.isArray(words) ? words : [words]
    const wire = list.map((each, index) => item.toWire(each, Array.isArray(words) ? [...at, index] : at, to))
    const out = wire.filter((each) => each !== undefined)
    for (const index of out.keys()) to.link(out, index, Array.isArray(words) ? [...at, index] : at)
    return out.length === wire.length ? out : undefined
  },
  toWords(wire, from) {
    const list = Array.isArray(wire) ? wire : [wire]
    const words = list.map((each) => item.toWords(each, from))
    const said = words.filter((each) => each !== undefined)
    return said.length === words.length && said.length > 0 ? said : undefined
  },
  schema: { type: 'array', items: item.schema, minItems: 1 },
})
