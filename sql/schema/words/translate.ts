/**
 * The two forms of a schema. Words, wire, words is the same text for words as they are shown; wire, words, wire is the
 * same schema, in which what can be said in several ways is said in one.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import { hint } from '../../../base/suggest.ts'
import { decodeCode, encodeCode, streamKinds } from '../codes.ts'
import { decodeSchema } from '../decode.ts'
import type { StreamKind } from '../schema.ts'
import { isAbsent, type Path, type Reading, readPart, type Wire, type Writing, writePart } from './codec.ts'
import { completeEntity, entityToWire, entityToWords, feedsOf, objects, sessionsInto } from './entities.ts'
import { createForm, type SentForm } from './form.ts'
import { inferTypes } from './inferred-types.ts'
import { schema as definition, stream as streamPart } from './members.ts'
import { type Kind, orderWords, ruleToWire, ruleWords, type Unit, unitsOf } from './rules.ts'
import { names } from './scalars.ts'

/** Whether a body has its streams by name, as words have. */
export const isInWords = (body: Json): body is Wire => isObject(body) && isObject(body.streams)

const wordsOfStreams = ['attributes', 'compute', 'lookups', 'groups', 'filters']

/** Says of a body whose streams are a list, as the wire has them, that it has parts in words too; undefined where it has none. */
export function mixesWords(body: Json): string | undefined {
  if (!isObject(body) || !Array.isArray(body.streams)) return undefined
  const top = ['entities', 'joins', 'patterns'].find((word) => isObject(body[word]))
  const inStream = body.streams.findIndex(
    (stream) => isObject(stream) && wordsOfStreams.some((word) => isObject(stream[word])),
  )
  if (top === undefined && inStream < 0) return undefined
  const place = top ?? `streams[${inStream}]`
  return `${place}: this mixes two forms: with words, streams are an object of streams by name; on the wire a list, with attr, enty and join`
}

const kinds: readonly Kind[] = ['join', 'cepq']

type Fault = { readonly at: Path; readonly sentence: string }
const maxFaults = 1000

type MixedCondition = Parameters<Writing['mixed']>[1]
type RunNames = Parameters<Writing['ofRun']>[1]

/** The streams that get rows of a stream's joins, patterns and sessions. */
const rowsOf = (stream: Wire): (Json | undefined)[] => [
  ...kinds
    .flatMap((kind) => objects(stream[kind]))
    .flatMap(({ ostm, absent }) => [ostm, isObject(absent) ? absent.ostm : undefined]),
  ...sessionsIn(stream).map(([, { ostm }]) => ostm),
]

/** The group-bys and values of entities of a stream that have sessions, with their places on the wire. */
const sessionsIn = (stream: Wire): (readonly [index: number, entry: Wire])[] =>
  ['gpby', 'enty'].flatMap((member) =>
    [...objects(stream[member]).entries()].filter(([, { session }]) => !isAbsent(session)),
  )

/** Streams by what goes into them. */
type Targets = { readonly filtered: Set<string>; readonly joined: Set<string> }

function targetsOf(streams: readonly Wire[]): Targets {
  const [filtered, joined] = [new Set<string>(), new Set<string>()]
  for (const stream of streams) {
    for (const { ostm } of objects(stream.fltr)) if (typeof ostm === 'string' && ostm !== '') filtered.add(ostm)
    for (const ostm of rowsOf(stream)) if (typeof ostm === 'string' && ostm !== '') joined.add(ostm)
  }
  return { filtered, joined }
}

const kindIn = ({ filtered, joined }: Targets, name: string): StreamKind =>
  filtered.has(name) ? 'filter' : joined.has(name) ? 'join' : 'input'

/** The streams that each stream comes from, by filters, rules and entities, in the order of the schema. */
function sourcesOf(streams: readonly Wire[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, Set<string>>()
  for (const stream of streams) {
    const targets = [
      ...objects(stream.fltr).map(({ ostm }) => ostm),
      ...rowsOf(stream),
      ...objects(stream.enty).map(({ rstm }) => rstm),
    ]
    for (const target of targets) {
      if (typeof target !== 'string' || target === '') continue
      const there = sources.get(target) ?? new Set<string>()
      sources.set(target, there.add(String(stream.name)))
    }
  }
  return new Map([...sources].map(([name, all]) => [name, [...all]]))
}

/** Members of a stream in the order in which published clients write them. */
const streamOrder = [
  'name',
  'type',
  'swsz',
  'inpt',
  'strict',
  'attr',
  'catr',
  'refr',
  'gpby',
  'enty',
  'rels',
  'node',
  'fltr',
  'join',
  'cepq',
]

function reorder(stream: Wire): void {
  const entries = Object.entries(stream)
  for (const [name] of entries) delete stream[name]
  for (const name of streamOrder) {
    const found = entries.find(([each]) => each === name)
    if (found?.[1] !== undefined) stream[name] = found[1]
  }
  for (const [name, value] of entries)
    if (!streamOrder.includes(name))
      Object.defineProperty(stream, name, { value, enumerable: true, configurable: true, writable: true })
}

/** A stream may say an order of its rules that differs from that of the schema. */
function applyOrder(stream: Wire, at: Path, fail: Writing['fail']): void {
  for (const kind of kinds) {
    const order = stream[orderWords[kind]]
    delete stream[orderWords[kind]]
    if (!Array.isArray(order)) continue
    const entries = objects(stream[kind])
    const place = new Map(order.map((name, index) => [name, index]))
    const missing = entries.find(({ name }) => !place.has(name ?? ''))
    if (missing || place.size !== entries.length)
      fail([...at, orderWords[kind]], `must name each of the ${ruleWords[kind]} of the stream once`)
    else (stream[kind] as Json[]).sort((left, right) => placeOf(left, place) - placeOf(right, place))
  }
}

const placeOf = (entry: Json, place: ReadonlyMap<Json, number>): number =>
  isObject(entry) ? (place.get(entry.name ?? '') ?? 0) : 0

/** A definition on the wire, and how its parts were said. */
export type Translated = { readonly wire: Wire; readonly form: SentForm }

/**
 * Words to the wire form. Throws a `Refusal` of all that words alone show to be wrong; what a schema makes of the rest is
 * for `decodeSchema` to say, whose places the form turns into those of the words. `known` are streams that the schema
 * has already.
 */
export function toWire(words: Wire, form: SentForm = createForm(), known: readonly string[] = []): Translated {
  const faults: Fault[] = []
  const mixed = new Map<Wire, MixedCondition>()
  const ofRuns = new Map<Json, RunNames>()
  let more = 0
  const to: Writing = {
    fail(at, sentence) {
      if (faults.length < maxFaults) faults.push({ at, sentence })
      else more++
    },
    link: form.link,
    mixed: (jqry, said) => void mixed.set(jqry, said),
    ofRun: (list, said) => void ofRuns.set(list, said),
  }
  const wire = translated(words, to, known)
  if (faults.length === 0) checkMixed(wire, mixed, to)
  if (faults.length === 0) checkRuns(wire, ofRuns, to)
  if (faults.length > 0) {
    const sentences = [...new Set(faults.map(({ at, sentence }) => `${form.shown(at)}: ${sentence}`))]
    throw new Refusal(more > 0 ? [...sentences, `and ${more} more`] : sentences)
  }
  form.root(wire)
  return { wire, form }
}

function translated(words: Wire, to: Writing, known: readonly string[]): Wire {
  const said: Wire = {}
  writePart(definition, words, [], to, said)
  const { streams: sent, entities, joins, patterns, ...rest } = said
  const declared = new Map<string, Wire>()
  const ats = new Map<Wire, Path>()
  for (const [name, value] of entriesOf(sent, ['streams'], to)) {
    const made: Wire = { name }
    writePart(streamPart, value, ['streams', name], to, made)
    if (made.type === 4) to.fail(['streams', name, 'kind'], 'an entity belongs into entities')
    declared.set(name, made)
    ats.set(made, ['streams', name])
  }
  const taken = new Set([...declared.keys(), ...known])
  const given = entriesOf(entities, ['entities'], to)
  for (const [name] of given) {
    if (taken.has(name)) to.fail(['entities', name], `${quoted(name)} is a stream already`)
    taken.add(name)
  }
  const sentRules = kinds.map(
    (kind) => [kind, entriesOf(kind === 'join' ? joins : patterns, [ruleWords[kind]], to)] as const,
  )
  const implied = impliedStreams([...declared.values()], sentRules, given, taken, ats)
  const find = (name: Json | undefined, at: Path): Wire | undefined => {
    const found = typeof name === 'string' ? (declared.get(name) ?? implied.get(name)) : undefined
    if (found) return found
    const shown = typeof name === 'string' ? quoted(name) : 'this'
    const isKnown = typeof name === 'string' && known.includes(name)
    to.fail(
      at,
      isKnown
        ? `${shown} is there already, and a stream that is there is changed by PUT /stream alone`
        : `${shown} is no stream of this definition${hint(typeof name === 'string' ? name : '', [...declared.keys(), ...implied.keys()])}`,
    )
    return undefined
  }
  const made = given.map(([name, value]) => {
    const stream = entityToWire(name, value, ['entities', name], to, find)
    ats.set(stream, ['entities', name])
    return stream
  })
  for (const [kind, entries] of sentRules) {
    for (const [name, value] of entries) {
      const at = [ruleWords[kind], name]
      if (Array.isArray(value))
        for (const [index, each] of value.entries()) ruleToWire(kind, name, each, [...at, index], to, find)
      else ruleToWire(kind, name, value, at, to, find)
    }
  }
  const all = [...declared.values(), ...made, ...implied.values()]
  const feeds = feedsOf(all)
  for (const stream of made) completeEntity(stream, feeds)
  complete(all, ats, to)
  const streams: Json[] = all
  for (const [index, stream] of all.entries()) to.link(streams, index, ats.get(stream) ?? [])
  return { ...(rest.schema !== undefined && { schema: rest.schema }), ...rest, streams }
}

function entriesOf(words: Json | undefined, at: Path, to: Writing): [string, Json][] {
  if (isAbsent(words) && !isObject(words)) return []
  if (!isObject(words)) {
    to.fail(at, 'must be an object: names, and what each is')
    return []
  }
  return Object.entries(words).flatMap(([name, value]): [string, Json][] => {
    if (value !== null) return [[name, value]]
    to.fail([...at, name], 'says nothing')
    return []
  })
}

/** The streams that something goes into and that are declared nowhere. */
function impliedStreams(
  declared: readonly Wire[],
  rules: readonly (readonly [Kind, readonly [string, Json][]])[],
  entities: readonly (readonly [string, Json])[],
  taken: ReadonlySet<string>,
  ats: Map<Wire, Path>,
): Map<string, Wire> {
  const made = new Map<string, Wire>()
  const add = (target: Json | undefined, type: number, at: Path) => {
    if (typeof target !== 'string' || target === '' || taken.has(target) || made.has(target)) return
    const stream = { name: target, type }
    made.set(target, stream)
    ats.set(stream, at)
  }
  for (const stream of declared) {
    for (const { name, ostm } of objects(stream.fltr))
      add(ostm, 2, ['streams', String(stream.name), 'filters', String(name), 'into'])
    for (const [index, { ostm }] of sessionsIn(stream))
      add(ostm, 3, ['streams', String(stream.name), 'groups', index, 'session', 'into'])
  }
  for (const [name, words] of entities)
    for (const [target, at] of sessionsInto(words, ['entities', name])) add(target, 3, at)
  for (const [kind, entries] of rules) {
    for (const [name, value] of entries)
      for (const rule of objects(value)) {
        const at = [ruleWords[kind], name]
        add(rule.into, 3, [...at, 'into'])
        for (const [of, here] of [
          [rule, at],
          [rule.then, [...at, 'then']],
        ] as const) {
          const absent = isObject(of) ? of.absent : undefined
          if (isObject(absent)) add(absent.into, 3, [...here, 'absent', 'into'])
        }
      }
  }
  return made
}

/** Gives streams the members that follow from what goes into them. */
function complete(all: readonly Wire[], ats: ReadonlyMap<Wire, Path>, to: Writing): void {
  const [targets, sources] = [targetsOf(all), sourcesOf(all)]
  for (const stream of all) {
    const name = String(stream.name)
    const at = ats.get(stream) ?? []
    applyOrder(stream, at, to.fail)
    inferTypes(stream)
    if (stream.type === undefined) {
      stream.type = encodeCode(streamKinds, kindIn(targets, name))
      to.link(stream, 'type', at)
    }
    if (stream.inpt === undefined && stream.type !== 1) stream.inpt = [...(sources.get(name) ?? [])]
    reorder(stream)
  }
}

/** The names that each stream has, once the schema is decoded; the declared ones where it cannot be. */
function attributesBy(wire: Wire): (stream: string) => ReadonlySet<string> {
  let known: ReadonlyMap<string, ReadonlySet<string>> | undefined
  const decoded = () => {
    try {
      const { streams } = decodeSchema(wire)
      return new Map(streams.map(({ name, attributes }) => [name, new Set(attributes.map((each) => each.name))]))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const declared = (stream: Wire) =>
        [...objects(stream.attr), ...objects(stream.catr)].map(({ name }) => String(name))
      return new Map(objects(wire.streams).map((stream) => [String(stream.name), new Set(declared(stream))]))
    }
  }
  return (stream) => {
    known ??= decoded()
    return known.get(stream) ?? new Set()
  }
}

/** On the wire a value beside a name is a name itself where the stream has such an attribute. */
function checkMixed(wire: Wire, mixed: ReadonlyMap<Wire, MixedCondition>, to: Writing): void {
  if (mixed.size === 0) return
  const attributes = attributesBy(wire)
  for (const stream of objects(wire.streams)) {
    for (const { jqry } of ['refr', ...kinds].flatMap((member) => objects(stream[member]))) {
      const said = isObject(jqry) ? mixed.get(jqry) : undefined
      if (said === undefined) continue
      const there = attributes(String(stream.name))
      const clash = said.texts.find((text) => text === '_pk' || there.has(text))
      if (clash !== undefined)
        to.fail(
          said.at,
          `the text ${quoted(clash)} is the name of an attribute of ${stream.name}, which it cannot be beside a comparison with an attribute; say it in a condition of its own`,
        )
      const unknown = said.names.find((name) => name !== '_pk' && !there.has(name))
      if (unknown !== undefined)
        to.fail(said.at, `${quoted(unknown)} is no attribute of ${stream.name}${hint(unknown, [...there])}`)
    }
  }
}

/** On the wire a value of a run is an attribute itself where the stream has one of its name. */
function checkRuns(wire: Wire, ofRuns: ReadonlyMap<Json, RunNames>, to: Writing): void {
  if (ofRuns.size === 0) return
  const attributes = attributesBy(wire)
  for (const stream of objects(wire.streams)) {
    for (const { ratr } of objects(stream.cepq)) {
      const said = ofRuns.get(ratr ?? null)
      const clash = said?.names.find((name) => attributes(String(stream.name)).has(name))
      if (said && clash !== undefined)
        to.fail(
          said.at,
          `${quoted(clash)} is an attribute of ${stream.name}, so that no row has it of a run; give it another name`,
        )
    }
  }
}

/* The way from the wire to words. */

const kindOf = (stream: Wire): StreamKind | undefined => {
  const code = decodeCode(streamKinds, stream.type)
  return 'name' in code ? code.name : undefined
}

/** The rules as the words have them: by name, a list where several have one. */
function namedRules(units: readonly Unit[]): Wire | undefined {
  const byName = new Map<string, Json[]>()
  for (const { name, words } of units) {
    if (words === undefined) continue
    const there = byName.get(name)
    if (there) there.push(words)
    else byName.set(name, [words])
  }
  if (byName.size === 0) return undefined
  return Object.fromEntries([...byName].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? null) : list]))
}

/** The order of a stream's rules, where it is not the one that the words have them in. */
function ordersOf(kind: Kind, units: readonly Unit[]): ReadonlyMap<Wire, readonly string[]> {
  const said = units.filter(({ words }) => words !== undefined)
  const place = new Map<string, number>()
  for (const { name } of said) if (!place.has(name)) place.set(name, place.size)
  const orders = new Map<Wire, readonly string[]>()
  for (const stream of new Set(said.flatMap(({ entries }) => entries.map((each) => each.stream)))) {
    const inStream = objects(stream[kind]).map(({ name }) => String(name))
    const sorted = inStream.toSorted((left, right) => (place.get(left) ?? 0) - (place.get(right) ?? 0))
    if (inStream.join('\n') !== sorted.join('\n')) orders.set(stream, inStream)
  }
  return orders
}

/** The wire form of a schema in words. */
export function toWords(wire: Wire): Wire {
  const streams = objects(wire.streams)
  const attributes = attributesBy(wire)
  const reading = (stream: string): Reading => ({ stream, attributes: () => attributes(stream) })
  const units = { join: unitsOf('join', streams, reading), cepq: unitsOf('cepq', streams, reading) }
  const unsaid = new Set(
    kinds
      .flatMap((kind) => units[kind])
      .flatMap(({ words, entries }) => (words === undefined ? entries.map(({ entry }) => entry) : [])),
  )
  const orders = { join: ordersOf('join', units.join), cepq: ordersOf('cepq', units.cepq) }
  const [targets, sources] = [targetsOf(streams), sourcesOf(streams)]
  const feeds = feedsOf(streams)

  const entityWords = new Map<string, Json>()
  for (const stream of streams) {
    if (kindOf(stream) !== 'entity') continue
    const name = String(stream.name)
    const words = entityToWords(stream, feeds, reading(name), sources.get(name) ?? [])
    if (words !== undefined) entityWords.set(name, words)
  }
  const streamWords: [string, Json][] = []
  for (const stream of streams) {
    const name = String(stream.name)
    if (entityWords.has(name)) continue
    const words = streamToWords(stream, {
      reading: reading(name),
      targets,
      sources: sources.get(name) ?? [],
      entityWords,
      unsaid,
      orders,
    })
    const isMade = targets.filtered.has(name) || targets.joined.has(name)
    if (!(isMade && isObject(words) && Object.keys(words).length === 0)) streamWords.push([name, words])
  }
  const { streams: _, ...rest } = wire
  const said = {
    ...rest,
    streams: Object.fromEntries(streamWords),
    ...(entityWords.size > 0 && { entities: Object.fromEntries(entityWords) }),
  }
  const [joins, patterns] = kinds.map((kind) => namedRules(units[kind]))
  const words = readPart(definition, { ...said, ...(joins && { joins }), ...(patterns && { patterns }) }, reading(''))
  return isObject(words) ? { ...words, streams: Object.fromEntries(streamWords) } : {}
}

type StreamContext = {
  readonly reading: Reading
  readonly targets: Targets
  readonly sources: readonly string[]
  readonly entityWords: ReadonlyMap<string, Json>
  readonly unsaid: ReadonlySet<Wire>
  readonly orders: Readonly<Record<Kind, ReadonlyMap<Wire, readonly string[]>>>
}

function streamToWords(stream: Wire, { reading, targets, sources, entityWords, unsaid, orders }: StreamContext): Json {
  const name = String(stream.name)
  const left: Wire = { ...stream }
  for (const kind of kinds) {
    delete left[kind]
    const rest = objects(stream[kind]).filter((entry) => unsaid.has(entry))
    if (rest.length > 0) left[kind] = [...rest]
    const order = orders[kind].get(stream)
    if (order) left[orderWords[kind]] = [...order]
  }
  const entries = objects(stream.enty).filter(({ rstm }) => !entityWords.has(String(rstm)))
  if (entries.length > 0) left.enty = [...entries]
  else delete left.enty
  if (kindOf(stream) === kindIn(targets, name)) delete left.type
  const inputs = isAbsent(stream.inpt) ? undefined : names.toWords(stream.inpt ?? null, reading)
  const implied = kindOf(stream) === 'input' ? '' : sources.join()
  if (isAbsent(stream.inpt) || inputs?.toString() === implied) delete left.inpt
  return readPart(streamPart, left, reading, ['name'])
}
