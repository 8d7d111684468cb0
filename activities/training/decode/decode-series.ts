import type { WireObject } from '../../../base/decode/wire-object.ts'
import { hint } from '../../../base/suggest.ts'
import type { Algorithm } from '../../../learn/algorithms/algorithm.ts'
import { algorithms } from '../../../learn/algorithms/index.ts'
import { createNameFinder } from '../../../learn/formats/header.ts'
import { columnOf, type Layout } from '../../../learn/layout.ts'
import { decodeParameters, numberOf, type Parameters, textOf } from '../../../learn/parameters.ts'
import { lagNames, maxLag, minLag, type SeriesRule, seriesParameters } from '../../../learn/series/rule.ts'
import type { DecodedLayout } from './decode-layout.ts'
import { gathered } from './decode-layout.ts'
import type { ReadingRules, TrainingSource } from './request.ts'

type Members = Readonly<Record<string, unknown>>

/** `algo_param` without the members about series, and these; `asked` is absent where there are none or they are wrong. */
export type SeriesMembers = { readonly own: Members; readonly isSeries: boolean; readonly asked?: Parameters }

const names = seriesParameters.map(({ name }) => name)

export function takeSeriesMembers(object: WireObject, algorithm: Algorithm | undefined, raw: Members): SeriesMembers {
  const given = names.filter((name) => raw[name] !== undefined && raw[name] !== null)
  const hasLag = given.includes('lag')
  if (algorithm === undefined) return { own: raw, isSeries: hasLag }
  if (algorithm.learnsFrom === 'script') {
    // All members are the script's own.
    if (hasLag) object.note('algo_param.lag', `reaches the script as it is: windows are cut for ${takers()}`)
    return { own: raw, isSeries: false }
  }
  const ways = algorithm.learnsFrom === 'rows' ? algorithm.series : undefined
  if (!hasLag && ways?.always !== true) {
    const [idle] = given
    if (ways !== undefined && idle !== undefined)
      object.fail('algo_param', `has ${idle} without lag, which it belongs to`)
    return { own: ways === undefined ? raw : without(raw), isSeries: false }
  }
  const own = without(raw)
  if (ways === undefined) {
    object.fail('algo_param', `has lag, and ${algorithm.name} predicts no numbers; lag goes with ${takers()}`)
    return { own, isSeries: true }
  }
  if (!hasLag) {
    object.fail('algo_param', `has no lag: ${algorithm.name} predicts from the last ${minLag} to ${maxLag} values`)
    return { own, isSeries: true }
  }
  const members = Object.fromEntries(given.map((name) => [name, raw[name]]))
  const asked = gathered(object, 'algo_param', () => decodeParameters(seriesParameters, members))
  return { own, isSeries: true, ...(asked && { asked }) }
}

const without = (raw: Members): Members =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))

function takers(): string {
  const all = [...algorithms.values()].filter((each) => each.learnsFrom === 'rows' && each.series !== undefined)
  const [last = '', ...others] = all.map(({ name }) => name).reverse()
  return `${others.reverse().join(', ')} and ${last}`
}

type Given = {
  readonly algorithm: Algorithm
  readonly parameters: Parameters | undefined
  readonly asked: Parameters
  readonly source: TrainingSource | undefined
  readonly decoded: DecodedLayout
  readonly reading: ReadingRules
}

export type DecodedSeries = { readonly rule: SeriesRule; readonly layout: Layout }

/** Undefined where a problem was found: time, uid and quantity are other attributes each, and the quantity a number. */
export function decodeSeries(object: WireObject, details: WireObject, given: Given): DecodedSeries | undefined {
  const { algorithm, parameters, asked, source, reading } = given
  const task = algorithm.learnsFrom === 'rows' && parameters ? algorithm.task(parameters) : undefined
  if (task === 'classes' || task === 'none')
    object.fail('algo_param', `has lag, and its other members ask for ${task === 'classes' ? 'classes' : 'no target'}`)
  if (reading.task === 'classes') details.fail('task', 'is classify, and algo_param has lag, which predicts numbers')
  const [lag, offset] = [numberOf(asked, 'lag'), numberOf(asked, 'offset')]
  const usual = source?.type === 'STREAM' ? '_pk' : ''
  const time = textOf(asked, 'time', usual).trim()
  const uid = textOf(asked, 'uid', '').trim()
  if (time === '') {
    object.fail('algo_param', 'has lag and no time: the name of the attribute that orders the rows')
    return undefined
  }
  const named = placesOf(object, given, { time, uid })
  if (named === undefined) return undefined
  const { layout, rule } = named
  if (lagNames(lag).includes(rule.quantity)) {
    details.fail('target', `is '${rule.quantity}', which is the name of an input of the model; give it another one`)
    return undefined
  }
  return { layout, rule: { lag, offset, ...rule } }
}

type Names = Pick<SeriesRule, 'quantity' | 'time' | 'uid'>

/** The columns that are read, and their names as `attr_list` spells them, or as the request does where the data name them. */
function placesOf(
  object: WireObject,
  { decoded, source }: Pick<Given, 'decoded' | 'source'>,
  asked: { readonly time: string; readonly uid: string },
): { readonly layout: Layout; readonly rule: Names } | undefined {
  const { layout, attributes, namedByData } = decoded
  const wanted = [asked.time, ...(asked.uid === '' ? [] : [asked.uid])]
  const ruleOf = (quantity: string, [time = '', uid]: readonly string[]): Names | undefined => {
    const twice = [quantity, time, uid].find((name, i, all) => name !== undefined && all.indexOf(name) < i)
    if (twice !== undefined) {
      object.fail(
        'algo_param',
        `has '${twice}' twice among the quantity, time and uid, which are attributes of their own`,
      )
      return undefined
    }
    return { quantity, time, ...(uid !== undefined && { uid }) }
  }
  if (namedByData !== undefined) {
    const rule = ruleOf(namedByData.target ?? '', wanted)
    return rule && { layout, rule }
  }
  const { target } = layout
  if (target === undefined || target.unnamed) {
    object.fail('attr_list', `names no quantity${target ? ` at position ${target.position}` : ''}: lag needs its name`)
    return undefined
  }
  if (target.kind === 'word' || target.task === 'classes') {
    object.fail('attr_list', `has no number '${target.name}': lag predicts a quantity, of type DOUBLE or LONG`)
    return undefined
  }
  const others = attributes.filter(({ position }) => position !== target.position)
  const known = others.map(({ name }) => name)
  const find = createNameFinder(known)
  const columns = wanted.map((name, i) => {
    const found = others[find(name)]
    if (found !== undefined) return columnOf(found)
    if (name === '_pk' && source?.type === 'STREAM') return { name, position: 2 ** 31 - 1 }
    object.fail('algo_param', `has ${['time', 'uid'][i]} '${name}', which attr_list does not name${hint(name, known)}`)
    return undefined
  })
  const read = columns.filter((column) => column !== undefined)
  if (read.length < wanted.length) return undefined
  const idle = others.filter(({ name, learn }) => learn !== false && !read.some((column) => column.name === name))
  if (idle.length > 0) {
    const listed = idle.slice(0, 20).map(({ name }) => name)
    object.note(
      'attr_list',
      `has ${listed.join(', ')}, which nothing is learnt from: with lag it is the values of ${target.name}`,
    )
  }
  const rule = ruleOf(
    target.name,
    read.map(({ name }) => name),
  )
  return rule && { layout: { ...layout, columns: read }, rule }
}
