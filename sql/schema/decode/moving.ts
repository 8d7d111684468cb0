import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import type { Attribute, MovingValue } from '../schema.ts'
import type { Draft, Drafts } from './draft.ts'

const example = 'avg(sensor.speed, m_5, more_10)'
const maxText = 300
/** A window's days. */
const maxDays = 36_500

type Words<Word extends string> = { readonly what: string; readonly known: readonly Word[] }

const functions: Words<MovingValue['statistic']> = {
  what: 'function',
  known: ['AVG', 'SUM', 'STD', 'MIN', 'MAX', 'COUNT'],
}
/** The word that a client means by a letter with which several words begin. */
const meantFunctions: Readonly<Record<string, MovingValue['statistic']>> = { M: 'MIN', S: 'SUM' }

const unitSeconds = { MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800, MONTH: 2_592_000, YEAR: 31_536_000 } as const
type Unit = keyof typeof unitSeconds
const units: Words<Unit> = { what: 'unit', known: ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] }
const meantUnits: Readonly<Record<string, Unit>> = { M: 'MINUTE' }

export type MarginWord = 'MORE' | 'LESS' | 'ABSMORE' | 'ABSLESS'
type Margin = MarginWord
const margins: Words<Margin> = { what: 'margin', known: ['MORE', 'LESS', 'ABSMORE', 'ABSLESS'] }
const marginSigns = {
  MORE: ['percent', 1],
  LESS: ['percent', -1],
  ABSMORE: ['amount', 1],
  ABSLESS: ['amount', -1],
} as const satisfies Record<Margin, readonly ['percent' | 'amount', 1 | -1]>

/** A word in any case, or its beginning; a problem as a sentence where it says none, or several. */
function findWord<Word extends string>(
  { what, known }: Words<Word>,
  sent: string,
  meant: Readonly<Record<string, Word>> = {},
): Word | { readonly problem: string } {
  const word = sent.toUpperCase()
  const exact = known.find((each) => each === word) ?? (Object.hasOwn(meant, word) ? meant[word] : undefined)
  if (exact !== undefined) return exact
  const [first, ...more] = word === '' ? [] : known.filter((each) => each.startsWith(word))
  if (first !== undefined && more.length === 0) return first
  if (first === undefined) return { problem: `has no ${what} ${quoted(sent)}${hint(sent, known)}` }
  return { problem: `has the ${what} ${quoted(sent)}, which may be ${[first, ...more].join(' or ')}` }
}

/** Whether a text has the form of a function over a moving time: whether it makes sense is another question. */
export const looksMoving = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]+\s*\(.*\)$/is.test(value.trim())

type Problem = { readonly problem: string }
type Length = { readonly seconds: number } | Problem

function readLength(text: string): Length {
  const [, unit = '', number = ''] = /^([a-z]+)_(\d{1,9})$/i.exec(text) ?? []
  if (unit === '')
    return { problem: `needs a time such as m_5 (MINUTE, HOUR, DAY, WEEK, MONTH or YEAR), not ${quoted(text)}` }
  const found = findWord(units, unit, meantUnits)
  if (typeof found !== 'string') return found
  const n = Number(number)
  if (n < 1) return { problem: `has the time ${quoted(text)}; its number is whole, from 1` }
  const seconds = n * unitSeconds[found]
  if (seconds > maxDays * 86_400)
    return { problem: `has the time ${quoted(text)}, over the ${maxDays} days there may be` }
  return { seconds }
}

type SentMargin = readonly [word: Margin, number: string]

function readMargin(text: string): SentMargin | Problem {
  const [, word = '', number = ''] = /^([a-z]+)_(\d{1,15}(?:\.\d{1,15})?)$/i.exec(text) ?? []
  if (word === '')
    return { problem: `needs a margin such as more_10 (MORE, LESS, ABSMORE or ABSLESS), not ${quoted(text)}` }
  const found = findWord(margins, word)
  return typeof found === 'string' ? [found, number] : found
}

function valueOfMargin([word, number]: SentMargin): NonNullable<MovingValue['margin']> {
  const [kind, sign] = marginSigns[word]
  return { kind, value: Number(number) === 0 ? 0 : sign * Number(number) }
}

/** A moving value by its text alone. */
export type MovingText = {
  readonly statistic: MovingValue['statistic']
  readonly path: string
  readonly by?: string
  readonly seconds: number
  readonly margin?: SentMargin
}

type Parts = {
  readonly path: string
  readonly by?: string
  readonly statistic: MovingValue['statistic'] | Problem
  readonly length: Length
  readonly margin?: SentMargin | Problem
}

/** Undefined where the text has not the form of a moving value. */
function partsOf(text: string): Parts | undefined {
  const [, func = '', inner] = text.length > maxText ? [] : (/^([a-z]+)\s*\(([^()]*)\)$/i.exec(text.trim()) ?? [])
  const [of = '', time, margin, ...more] = (inner ?? '').split(',').map((each) => each.trim())
  const words = of.split(/\s+/)
  const [place, ...others] = words.flatMap((word, at) => (word.toLowerCase() === 'by' ? [at] : []))
  const path = words.slice(0, place).join(' ')
  const by = place === undefined ? undefined : words.slice(place + 1).join(' ')
  if (others.length > 0 || path === '' || by === '') return undefined
  if (inner === undefined || time === undefined || more.length > 0) return undefined
  return {
    path,
    ...(by !== undefined && { by }),
    statistic: findWord(functions, func, meantFunctions),
    length: readLength(time),
    ...(margin !== undefined && margin !== '' && { margin: readMargin(margin) }),
  }
}

const wanted = `must be func(stream.attr by key, UNIT_n, MARGIN_m), the key and the margin optional, such as ${example}`

/** `func(stream.attr, UNIT_n, MARGIN_m)`, before it is known what the path names. */
export function readMovingText(text: string): MovingText | Problem {
  const parts = partsOf(text)
  if (parts === undefined) return { problem: wanted }
  const { path, by, statistic, length, margin } = parts
  if (typeof statistic !== 'string') return statistic
  if ('problem' in length) return length
  if (margin && 'problem' in margin) return margin
  return { path, ...(by !== undefined && { by }), statistic, seconds: length.seconds, ...(margin && { margin }) }
}

type Place = { readonly of: Draft; readonly attribute: string }

/** `stream.attr`, or an attribute of the stream itself. */
function findPlace(
  path: string,
  draft: Draft,
  drafts: Drafts,
  fail: (problem: string | (() => string)) => void,
): Place | undefined {
  const dot = path.indexOf('.')
  const named = dot === -1 ? undefined : drafts.get(path.slice(0, dot))
  const of = named ?? (draft.attributes.has(path) ? draft : undefined)
  if (of === undefined) {
    const stream = dot === -1 ? undefined : path.slice(0, dot)
    fail(() =>
      stream === undefined
        ? `needs stream.attr, not ${quoted(path)}`
        : `names ${quoted(stream)}, which is no stream of this schema${hint(stream, [...drafts.keys()])}`,
    )
    return undefined
  }
  const attribute = named ? path.slice(dot + 1) : path
  if (of.attributes.has(attribute)) return { of, attribute }
  fail(
    () =>
      `names ${quoted(attribute)}, which is no attribute of ${of.name}${hint(attribute, [...of.attributes.keys()])}`,
  )
  return undefined
}

/** `func(stream.attr, UNIT_n, MARGIN_m)` */
export function decodeMoving(
  text: string,
  draft: Draft,
  drafts: Drafts,
  object: WireObject,
  member: string,
): MovingValue | undefined {
  const fail = (problem: string | (() => string)): undefined => {
    object.fail(member, () => `${quoted(text.trim())} ${typeof problem === 'string' ? problem : problem()}`)
  }
  const parts = partsOf(text)
  if (parts === undefined) return fail(wanted)
  const { path, by, statistic, length, margin } = parts
  for (const each of [statistic, length, margin]) {
    if (typeof each === 'object' && 'problem' in each) fail(each.problem)
  }
  const place = findPlace(path, draft, drafts, fail)
  if (place === undefined || typeof statistic !== 'string') return undefined
  const attribute = place.of.attributes.get(place.attribute)
  if (attribute === undefined) return undefined
  const isKept =
    statistic === 'COUNT' ? attribute.statistics !== undefined : attribute.statistics?.kinds.includes('RSTAT')
  if (place.of.kind === 'entity' || !isKept) return fail(needed(place, statistic))
  if ('problem' in length || (margin && 'problem' in margin)) return undefined
  const unfit = by === undefined ? undefined : problemOfKey(by, place.of, draft, length.seconds, attribute)
  if (unfit !== undefined) return fail(unfit)
  return {
    kind: 'moving',
    statistic,
    stream: place.of.name,
    attribute: place.attribute,
    ...(by !== undefined && { by }),
    length_us: length.seconds * 1e6,
    granularity: attribute.granularity,
    ...(margin && { margin: valueOfMargin(margin) }),
  }
}

/** Intervals of a moving value by key: a day has so many minutes. */
const maxKeyIntervals = 1_440

/** The events of both streams have the key, and it is of one type in them. */
function problemOfKey(
  by: string,
  of: Draft,
  draft: Draft,
  seconds: number,
  { name, granularity }: Pick<Attribute, 'name' | 'granularity'>,
): string | (() => string) | undefined {
  const [counted, own] = [of, draft].map(({ attributes }) => attributes.get(by))
  for (const [attribute, at] of [
    [counted, of],
    [own, draft],
  ] as const)
    if (attribute === undefined)
      return () =>
        `has the key ${quoted(by)}, which is no attribute of ${at.name}${hint(by, [...at.attributes.keys()])}`
  if (counted?.type === 'OBJECT') return `has the key ${quoted(by)}, an OBJECT; a key is a single value`
  if (counted?.type !== own?.type)
    return `has the key ${quoted(by)}, which is ${counted?.type} in ${of.name} and ${own?.type} in ${draft.name}`
  const intervals = Math.ceil(seconds / granularity)
  return intervals <= maxKeyIntervals
    ? undefined
    : `has ${intervals} intervals of each key, over the ${maxKeyIntervals} there may be; give ${name} a gran of ${Math.ceil(seconds / maxKeyIntervals)} or more`
}

function needed({ of, attribute }: Place, statistic: MovingValue['statistic']): string {
  if (of.kind === 'entity') return `names ${quoted(of.name)}, an entity stream, which has no running statistics`
  const [wanted, code] = statistic === 'COUNT' ? ['a statistic', '1 to 6'] : ['RSTAT', '3']
  return `needs ${wanted} of ${attribute} in ${of.name}: give it stat ${code}`
}

const shownNumber = (value: number): string =>
  Math.abs(value)
    .toFixed(15)
    .replace(/(?<!0)0+$/, '')
    .replace(/\.$/, '')

/** The text of which this is the value. */
export function encodeMoving({ statistic, stream, attribute, by, length_us, margin }: MovingValue): string {
  const seconds = length_us / 1e6
  const unit = units.known.findLast((each) => seconds % unitSeconds[each] === 0) ?? 'MINUTE'
  const added =
    margin &&
    margins.known.find((each) => marginSigns[each][0] === margin.kind && marginSigns[each][1] < 0 === margin.value < 0)
  return `${statistic.toLowerCase()}(${[
    `${stream}.${attribute}${by === undefined ? '' : ` by ${by}`}`,
    `${unit}_${seconds / unitSeconds[unit]}`,
    ...(margin && added ? [`${added}_${shownNumber(margin.value)}`] : []),
  ].join(', ')})`
}
