/** Entities: said once at the schema, and on the wire by their stream and by `enty` of each stream that feeds it. */
import { isObject, type Json } from '../../../base/json.ts'
import { attributeTypes, decodeCode, encodeCode, statistics } from '../codes.ts'
import type { AttributeType } from '../schema.ts'
import { isAbsent, type Path, type Reading, readPart, type Wire, type Writing, writePart } from './codec.ts'
import { entity, entityKey, entityValue, feed, ofSession, sessionPart } from './members.ts'
import { names } from './scalars.ts'

/** A `pkatr` and the stream that has it. */
type Keyed = { readonly stream: Wire; readonly entries: readonly Wire[] }

export const objects = (value: Json | undefined): readonly Wire[] => {
  const list = isObject(value) ? [value] : value
  return Array.isArray(list) ? list.filter(isObject) : []
}

const typeNamed = (wire: Json | undefined): AttributeType | undefined => {
  const code = decodeCode(attributeTypes, wire)
  return 'name' in code ? code.name : undefined
}

/** The type that a stream declares of an attribute, or of a field of one. */
function declaredType(attributes: readonly Wire[], name: string, prefix = ''): AttributeType | undefined {
  for (const each of attributes) {
    if (typeof each.name !== 'string') continue
    const full = prefix === '' || each.name.startsWith(prefix) ? each.name : `${prefix}${each.name}`
    if (full === name) return typeNamed(each.type)
    const inner = name.startsWith(`${full}.`) ? declaredType(objects(each.fields), name, `${full}.`) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

const typeIn = (stream: Wire, name: string): AttributeType | undefined =>
  declaredType(objects(stream.attr), name) ?? declaredType(objects(stream.catr), name)

const list = (value: Json | undefined): readonly string[] => {
  const each = typeof value === 'string' ? [value] : value
  return Array.isArray(each) ? each.filter((one) => typeof one === 'string') : []
}

const inputsOfKey = (key: Wire): readonly string[] => (isAbsent(key.iatr) ? [String(key.name)] : list(key.iatr))

const typeOfKey = (stream: Wire, key: Wire): AttributeType | undefined => {
  const inputs = inputsOfKey(key)
  return inputs.length > 1 ? 'STRING' : typeIn(stream, inputs[0] ?? '')
}

const typeCode = (name: AttributeType) => encodeCode(attributeTypes, name)

/** Whether a value is a number of events or of values alone. */
const isCounted = (opid: Json | undefined): boolean =>
  (Array.isArray(opid) ? opid : [opid]).every((each) => {
    const code = decodeCode(statistics, each)
    return 'name' in code && (code.name === 'COUNT' || code.name === 'UCOUNT')
  })

/** The columns of an entity's rows by what feeds it; undefined where that does not say all types. */
function impliedColumns(feeds: readonly Keyed[]): readonly Wire[] | undefined {
  const [first] = feeds
  const keys = objects(first?.entries[0]?.pkatr)
  if (first === undefined || keys.length === 0) return undefined
  const columns: Wire[] = []
  for (const key of keys) {
    const type = typeOfKey(first.stream, key)
    if (type === undefined || typeof key.name !== 'string') return undefined
    columns.push({ name: key.name, type: typeCode(type), pk: 1 })
  }
  for (const { opid, ratr } of feeds.flatMap(({ entries }) => entries)) {
    const type = isCounted(opid) ? 'LONG' : 'DOUBLE'
    for (const name of list(ratr)) columns.push({ name, type: typeCode(type) })
  }
  return columns
}

const plainColumn = ({ name, type, pk }: Wire): string =>
  `${name} ${typeNamed(type)} ${pk === 1 || pk === '1' || pk === true}`
const isPlainColumn = (column: Wire): boolean =>
  Object.keys(column).every((each) => ['name', 'type', 'pk'].includes(each))
const isImplied = (attr: Json | undefined, implied: readonly Wire[] | undefined): boolean =>
  objects(attr).every(isPlainColumn) &&
  objects(attr).map(plainColumn).join('\n') === (implied ?? []).map(plainColumn).join('\n')

/** The streams that words of an entity give rows of sessions, and where they say so. */
export function sessionsInto(words: Json, at: Path): readonly (readonly [target: Json | undefined, at: Path])[] {
  if (!isObject(words)) return []
  const feeds = Array.isArray(words.feeds) ? words.feeds : []
  const all: (readonly [Json | undefined, Path])[] = [
    [words.values, [...at, 'values']],
    ...feeds.map(
      (each, index) => [isObject(each) ? each.values : undefined, [...at, 'feeds', index, 'values']] as const,
    ),
  ]
  return all.flatMap(([values, here]) =>
    Object.entries(isObject(values) ? values : {}).flatMap(([name, value]) => {
      const said = isObject(value) ? value.session : undefined
      return isObject(said) ? [[said.into, [...here, name, 'session', 'into']] as const] : []
    }),
  )
}

/* The way from words to the wire. */

function keysToWire(by: Json, at: Path, to: Writing, stream: Wire): readonly Wire[] | undefined {
  const plain = typeof by === 'string' ? [by] : by
  const key = (name: string, inputs: readonly string[]): Wire => {
    const type = inputs.length > 1 ? 'STRING' : typeIn(stream, inputs[0] ?? '')
    return { name, ...(type !== undefined && { type: typeCode(type) }), iatr: [...inputs] }
  }
  if (Array.isArray(plain)) {
    const keys = plain.flatMap((each) => (typeof each === 'string' ? [key(each, [each])] : []))
    if (keys.length === plain.length) return keys
  }
  if (!isObject(plain)) {
    to.fail(at, 'must be an attribute, a list of attributes, or an object of names and the attributes that give them')
    return undefined
  }
  return Object.entries(plain).map(([name, said]) => {
    const here = [...at, name]
    const inputs = typeof said === 'string' ? [said] : said
    if (Array.isArray(inputs) && inputs.every((each) => typeof each === 'string')) return key(name, inputs)
    const out: Wire = {}
    writePart(entityKey, said, here, to, out)
    return { ...out, ...key(name, isAbsent(out.iatr) ? [name] : list(out.iatr)) }
  })
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? ''

/** Members of the wire form that all values of one definition share. */
const meant = ['opid', 'q', 'k', 'window', ...ofSession]
const meaningOf = (value: Wire) => meant.map((member) => value[member] ?? null)

const isSameDefinition = (before: Wire | undefined, value: Wire): boolean =>
  before !== undefined &&
  value.name !== undefined &&
  value.name === before.name &&
  asText(meaningOf(value)) === asText(meaningOf(before)) &&
  Object.keys(value).every((each) => ['name', 'iatr', ...meant].includes(each))

/** The entries of `enty` of one feed. */
function feedToWire(said: Wire, at: Path, to: Writing, target: string, stream: Wire): void {
  const keys = said.by === undefined ? undefined : keysToWire(said.by, [...at, 'by'], to, stream)
  if (!isObject(said.values) || Object.keys(said.values).length === 0) {
    to.fail(
      [...at, 'values'],
      'must be an object: names of values, and what each is, such as {spent: {of: price, stats: [summary]}}',
    )
    return
  }
  const entries: Json[] = Array.isArray(stream.enty) ? stream.enty : []
  stream.enty = entries
  let before: Wire | undefined
  for (const [result, words] of Object.entries(said.values)) {
    const here = [...at, 'values', result]
    const value: Wire = {}
    writePart(entityValue, words, here, to, value)
    if (value.opid === undefined && isObject(words) && !('stats' in words))
      to.fail(here, 'lacks stats, such as [summary]')
    const last = entries.at(-1)
    if (isSameDefinition(before, value) && isObject(last) && Array.isArray(last.ratr) && Array.isArray(last.iatr)) {
      to.link(last.ratr, last.ratr.length, here)
      to.link(last.iatr, last.iatr.length, [...here, 'of'])
      last.ratr.push(result)
      last.iatr.push(value.iatr ?? null)
      continue
    }
    const { iatr, name = result, ...rest } = value
    const entry: Wire = {
      name,
      ...rest,
      ratr: [result],
      iatr: iatr === undefined ? [] : [iatr],
      ...(keys && { pkatr: keys.map((each) => ({ ...each })) }),
      rstm: target,
    }
    to.link(entries, entries.length, here)
    for (const member of ['opid', 'q', 'k']) to.link(entry, member, [...here, 'stats'])
    to.link(entry, 'window', [...here, 'windows'])
    for (const { word, wire } of sessionPart.members)
      for (const name of wire) to.link(entry, name, [...here, 'session', word])
    to.link(entry, 'iatr', [...here, 'of'])
    if (Array.isArray(entry.iatr)) to.link(entry.iatr, 0, [...here, 'of'])
    to.link(entry, 'ratr', here)
    to.link(entry, 'pkatr', [...at, 'by'])
    to.link(entry, 'rstm', at)
    entries.push(entry)
    before = value
  }
}

/** Finds a stream that words name; reports where there is none. */
export type FindStream = (name: Json | undefined, at: Path) => Wire | undefined

/** The stream of an entity, and the entries of `enty` of the streams that feed it. */
export function entityToWire(name: string, words: Json, at: Path, to: Writing, find: FindStream): Wire {
  const out: Wire = {}
  writePart(entity, words, at, to, out)
  const { of, by, values, feeds, ...rest } = out
  const single = {
    ...(of !== undefined && { of }),
    ...(by !== undefined && { by }),
    ...(values !== undefined && { values }),
  }
  const isSingle = Object.keys(single).length > 0
  if (feeds !== undefined && isSingle) to.fail([...at, 'feeds'], 'has no place beside of, by and values')
  const sent: [Wire, Path][] = isSingle ? [[single, at]] : []
  if (feeds !== undefined && !Array.isArray(feeds)) to.fail([...at, 'feeds'], 'must be a list')
  for (const [index, each] of (Array.isArray(feeds) ? feeds : []).entries()) {
    const one: Wire = {}
    writePart(feed, each, [...at, 'feeds', index], to, one)
    sent.push([one, [...at, 'feeds', index]])
  }
  for (const [one, here] of sent) {
    if (one.of === undefined) to.fail(here, 'lacks of: the stream whose events are counted')
    const stream = one.of === undefined ? undefined : find(one.of, [...here, 'of'])
    if (stream) feedToWire(one, here, to, name, stream)
  }
  const made: Wire = { name, type: 4, ...rest }
  for (const each of Object.keys(rest))
    to.link(made, each, [...at, { swsz: 'keep', inpt: 'inputs', attr: 'attributes' }[each] ?? each])
  return made
}

/** The entries of `enty` of all streams, by the entity's name. */
export type Feeds = ReadonlyMap<string, readonly Keyed[]>

export function feedsOf(streams: readonly Wire[]): Feeds {
  const feeds = new Map<string, { stream: Wire; entries: Wire[] }[]>()
  for (const stream of streams) {
    for (const entry of objects(stream.enty)) {
      const target = String(entry.rstm)
      const there = feeds.get(target) ?? []
      const last = there.at(-1)
      if (last?.stream === stream) last.entries.push(entry)
      else there.push({ stream, entries: [entry] })
      feeds.set(target, there)
    }
  }
  return feeds
}

/** Gives an entity that lists no columns those that follow from its feeds. */
export function completeEntity(made: Wire, feeds: Feeds): void {
  if (made.attr !== undefined) return
  const columns = impliedColumns(feeds.get(String(made.name)) ?? [])
  if (columns) made.attr = [...columns]
}

/* The way from the wire to words. */

function keysToWords(pkatr: Json | undefined, from: Reading): Json | undefined {
  const keys = objects(pkatr)
  const isPlain = keys.every(
    (key) =>
      Object.keys(key).every((each) => ['name', 'type', 'iatr'].includes(each) || isAbsent(key[each])) &&
      inputsOfKey(key).join() === key.name,
  )
  if (keys.length === 0) return undefined
  const plain = keys.map(({ name }) => String(name))
  if (isPlain) return plain.length === 1 ? plain[0] : plain
  return Object.fromEntries(
    keys.map((key) => {
      const words = readPart(entityKey, { ...key, iatr: [...inputsOfKey(key)] }, from, ['name', 'type'])
      const said =
        isObject(words) && Object.keys(words).join() === 'of' && Array.isArray(words.of) ? words.of : undefined
      return [String(key.name), said?.length === 1 ? (said[0] ?? null) : (said ?? words)]
    }),
  )
}

const spread = ['ratr', 'iatr', 'pkatr', 'rstm']

function valuesOf(entry: Wire, target: string, from: Reading): readonly (readonly [string, Wire])[] | undefined {
  const [results, inputs] = [names.toWords(entry.ratr ?? null, from), names.toWords(entry.iatr ?? null, from)]
  if (!Array.isArray(results) || !Array.isArray(inputs) || results.length !== inputs.length) return undefined
  const own = typeof entry.name === 'string' && entry.name !== '' ? entry.name : target
  const isNamed = results.length > 1 || (own !== target && own !== results[0])
  return results.map((result, index) => {
    const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !spread.includes(name) && name !== 'name'))
    const shared = meant
      .filter((member) => entry[member] !== undefined)
      .map((member) => [member, entry[member] ?? null])
    const all = index === 0 ? rest : { opid: null, ...Object.fromEntries(shared) }
    const wire = { iatr: inputs[index] ?? null, ...all, ...(isNamed && { name: own }) }
    const words = readPart(entityValue, wire, from)
    return [String(result), isObject(words) ? words : {}] as const
  })
}

type Feed = { readonly of: string; readonly by: Json | undefined; readonly values: [string, Wire][] }

/** Whether a value would be taken for a part of the definition before it. */
const runsOn = (before: Wire | undefined, value: Wire): boolean =>
  before?.definition !== undefined &&
  before.definition === value.definition &&
  asText([before.stats ?? null, before.windows ?? null, before.session ?? null]) ===
    asText([value.stats ?? null, value.windows ?? null, value.session ?? null])

/** The words of an entity; undefined where they do not say one of its entries. */
export function entityToWords(made: Wire, fed: Feeds, from: Reading, inputs: readonly string[]): Json | undefined {
  const target = String(made.name)
  const keyed = fed.get(target) ?? []
  const feeds: Feed[] = []
  for (const { stream, entries } of keyed) {
    for (const entry of entries) {
      const values = valuesOf(entry, target, from)
      const by = keysToWords(entry.pkatr, from)
      if (values === undefined || values.some(([result]) => /^\d+$/.test(result))) return undefined
      const last = feeds.at(-1)
      if (
        last?.of === stream.name &&
        asText(last?.by) === asText(by) &&
        !runsOn(last?.values.at(-1)?.[1], values[0]?.[1] ?? {})
      )
        last?.values.push(...values.map(([name, value]): [string, Wire] => [name, value]))
      else feeds.push({ of: String(stream.name), by, values: values.map(([name, value]) => [name, value]) })
    }
  }
  const results = feeds.flatMap(({ values }) => values.map(([name]) => name))
  if (new Set(results).size < results.length) return undefined
  const shown = feeds.map(({ of, by, values }) => ({
    of,
    ...(by !== undefined && { by }),
    values: Object.fromEntries(values),
  }))
  const left = { ...made }
  if (isAbsent(left.attr) || isImplied(left.attr, impliedColumns(keyed))) delete left.attr
  if (isAbsent(left.inpt) || names.toWords(left.inpt ?? null, from)?.toString() === inputs.toString()) delete left.inpt
  const words = readPart(entity, left, from, ['name', 'type', 'enty'])
  const said = isObject(words) ? words : {}
  const [only, ...more] = shown
  return {
    ...(only && more.length === 0 ? only : shown.length > 0 ? { feeds: shown } : {}),
    ...said,
  }
}
