import { z } from 'zod'
import { code, text, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import { checkAttributeName, checkName } from '../check/name.ts'
import { checkStatistics } from '../check/statistic.ts'
import { presentRules } from '../codes.ts'
import { findStream } from '../find-stream.ts'
import type { Attribute, PresentRule, Reference, Statistics } from '../schema.ts'
import { shownStatistics } from '../statistics.ts'
import { attributeNames, clientName, granularity } from '../values.ts'
import { type Draft, type Drafts, findAttribute, findValue, isTime, takenOver } from './draft.ts'
import { type Figures, figureMembers, splitPath, typeOfFigure } from './figures.ts'
import { attributesRead } from './pair-attributes.ts'
import { decodePair, isEqual, pairOnWire, type TypeOfOther } from './pair-condition.ts'
import { areSame, statisticsOnWire, takeStatistics } from './statistics.ts'

/** One of `refr`. */
export const referenceOnWire = z
  .object({
    name: clientName,
    iatr: attributeNames.meta({ description: 'the attributes that the event gets' }),
    rstm: text.meta({ description: 'a stream, an entity stream, or a table as D.T' }),
    ratr: texts.meta({ description: 'their sources: attributes, paths such as sales.avg, or paths into a record' }),
    jqry: pairOnWire,
    stat: statisticsOnWire.shape.stat,
    q: statisticsOnWire.shape.q,
    k: statisticsOnWire.shape.k,
    gran: granularity.default(60),
    fnr: code(presentRules).prefault('add'),
    as_of: z.literal('_pk', { error: 'must be _pk' }).optional().meta({
      description:
        "_pk: the latest row by its _pk that is not later than the event's own; absent: the latest in the log",
    }),
  })
  .meta({ id: 'Reference' })
const { shape } = referenceOnWire

type Source =
  | { readonly kind: 'stream' | 'entity'; readonly draft: Draft }
  | { readonly kind: 'table'; readonly database: string; readonly table: string }

/** One of `refr` as it was sent, before the attributes are known that it reads. */
export type SentReference = {
  readonly object: WireObject
  readonly name: string | undefined
  readonly results: readonly string[]
  readonly sources: readonly string[]
  /** Undefined where there is none of that name, which is reported. */
  readonly source: Source | undefined
  readonly statistics: Statistics | undefined
  readonly granularity: number
  readonly whenPresent: PresentRule
  readonly asOf: '_pk' | undefined
}

function readTable(object: WireObject, sent: string, drafts: Drafts, schema: string): Source | undefined {
  const [database = '', table = '', ...more] = sent.split('.')
  if (database === schema && drafts.has(table) && more.length === 0) {
    object.fail('rstm', `${quoted(sent)}: a stream of this schema goes by its name alone, ${quoted(table)}`)
    return undefined
  }
  const problem = more.length > 0 ? `${quoted(sent)} must be a table as D.T` : (checkName(database) ?? checkName(table))
  if (problem === undefined) return { kind: 'table', database, table }
  object.fail('rstm', problem)
  return undefined
}

function readSource(object: WireObject, drafts: Drafts, schema: string): Source | undefined {
  const sent = object.take('rstm', shape.rstm)
  if (sent === undefined) return undefined
  if (sent.includes('.')) return readTable(object, sent, drafts, schema)
  const draft = findStream(drafts, sent, object, 'rstm')
  return draft && { kind: draft.kind === 'entity' ? 'entity' : 'stream', draft }
}

function readReference(object: WireObject, drafts: Drafts, schema: string): SentReference {
  object.only(shape)
  const name = object.take('name', shape.name)
  const [results, sources] = [object.take('iatr', shape.iatr), object.take('ratr', shape.ratr)]
  if (results?.length === 0) object.fail('iatr', 'must name at least one attribute')
  if (results && sources && results.length !== sources.length)
    object.fail('ratr', `must be as long as iatr, ${results.length}, and is ${sources.length}`)
  const statistics = takeStatistics(object, 'stat', { isOptional: true })
  return {
    object,
    name,
    results: results ?? [],
    sources: sources ?? [],
    source: readSource(object, drafts, schema),
    statistics: statistics?.kinds.length ? statistics : undefined,
    granularity: object.take('gran', shape.gran) ?? 60,
    whenPresent: object.take('fnr', shape.fnr) ?? 'add',
    asOf: object.take('as_of', shape.as_of),
  }
}

/** `refr` */
export const readReferences = ({ kind, object }: Draft, drafts: Drafts, schema: string): readonly SentReference[] =>
  kind === 'entity' ? [] : object.list('refr').map((each) => readReference(each, drafts, schema))

/** The attribute that a result takes over; undefined where there is none, or none yet. */
function attributeOf(source: Source, name: string, figures: Figures): Pick<Attribute, 'type' | 'isOpen'> | undefined {
  if (source.kind === 'table') return { type: 'OBJECT', isOpen: true }
  if (source.kind === 'entity') {
    const type = typeOfFigure(figures, source.draft.name, name)
    return type && { type }
  }
  return isTime(source.draft, name) ? { type: 'LONG' } : source.draft.attributes.get(name)
}

const problemOf = (name: string): string | undefined => {
  if (name === '_pk' || name === '_id') return `${name} does not come with a reference`
  if (name.includes('.')) return `${quoted(name)} is a field; give the attribute a name of its own`
  return checkAttributeName(name)
}

function addFields(draft: Draft, result: string, from: Draft, source: string): void {
  for (const [name, attribute] of from.attributes) {
    if (!name.startsWith(`${source}.`)) continue
    const field = `${result}${name.slice(source.length)}`
    if (!draft.attributes.has(field)) draft.attributes.set(field, takenOver(field, attribute))
  }
}

/** Adds the attributes that a reference brings, as far as those are known that it reads. Answers whether some are not. */
export function bringAttributes(reference: SentReference, draft: Draft, figures: Figures): boolean {
  const { results, sources, source, statistics, granularity } = reference
  let isWaiting = false
  for (const [index, name] of results.entries()) {
    if (problemOf(name) !== undefined) continue
    const path = sources[index]
    const found = source && path !== undefined ? attributeOf(source, path, figures) : undefined
    draft.referred.add(name)
    const there = draft.attributes.get(name)
    const kept = there ?? (found && takenOver(name, { ...found, name, granularity: 60, primaryKey: false }))
    if (kept === undefined) {
      isWaiting = true
      continue
    }
    const isKept = statistics && kept.statistics === undefined && checkStatistics(statistics, kept) === undefined
    draft.attributes.set(name, isKept ? { ...kept, statistics, granularity } : kept)
    if (kept.type === 'OBJECT' && source?.kind === 'stream' && path !== undefined)
      addFields(draft, name, source.draft, path)
  }
  return isWaiting
}

/** Attributes whose source has a fault, which is reported, are there all the same. */
export function bringRest({ results }: SentReference, { attributes }: Draft): void {
  for (const name of results)
    if (problemOf(name) === undefined && !attributes.has(name)) attributes.set(name, undefined)
}

function checkFigure(object: WireObject, member: string, path: string, stream: string, figures: Figures): void {
  const [result, field] = splitPath(path)
  const known = figures.get(stream) ?? new Map<string, never>()
  const figure = known.get(result) ?? known.get(path)
  if (figure === undefined) {
    object.fail(member, () => {
      const none = `${quoted(result)} is no result of ${stream}${hint(result, [...known.keys()])}`
      return `${quoted(path)} is no path such as sales.avg: ${none}`
    })
    return
  }
  const members = figureMembers(figure.statistics)
  if (!members.includes(field))
    object.fail(
      member,
      `${quoted(path)} must end with a member of ${shownStatistics(figure.statistics)}: ${members.map((each) => `${known.has(path) ? path : result}.${each}`).join(', ')}`,
    )
}

const longestPath = 1000

function checkSources({ object, sources, source }: SentReference, figures: Figures): void {
  for (const [index, name] of sources.entries()) {
    const member = `ratr[${index}]`
    if (source?.kind === 'entity') checkFigure(object, member, name, source.draft.name, figures)
    else if (source?.kind === 'stream' && !isTime(source.draft, name)) findAttribute(source.draft, name, object, member)
    else if (source?.kind === 'table' && (name.length > longestPath || name.split('.').includes('')))
      object.fail(member, `${quoted(name)} must be a member of the table's records, or a dotted path into them`)
  }
}

function checkResults(reference: SentReference, draft: Draft, figures: Figures): void {
  const { object, results, sources, source, statistics, granularity } = reference
  const seen = new Set<string>()
  for (const [index, name] of results.entries()) {
    const member = `iatr[${index}]`
    const problem = seen.has(name) ? `${quoted(name)} is there already` : problemOf(name)
    seen.add(name)
    if (problem !== undefined) {
      object.fail(member, problem)
      continue
    }
    const [kept, path] = [draft.attributes.get(name), sources[index]]
    const found = source && path !== undefined ? attributeOf(source, path, figures) : undefined
    if (kept === undefined || found === undefined) continue
    if (kept.type !== found.type && !found.isOpen) {
      object.fail(
        member,
        `${quoted(name)} is ${kept.type} here and ${found.type} in ${object.take('rstm', shape.rstm)}`,
      )
      continue
    }
    if (statistics === undefined) continue
    const unfit = checkStatistics(statistics, kept)
    if (unfit !== undefined) {
      const open = `${unfit.split(' ', 1)[0]} takes LONG or DOUBLE, and ${quoted(name)} has whatever type a record has; declare it in attr with a type`
      object.fail('stat', kept.isOpen ? open : unfit)
    } else if (kept.statistics === undefined || !areSame(kept.statistics, statistics)) {
      const there = kept.statistics ? shownStatistics(kept.statistics) : undefined
      object.fail('stat', `${shownStatistics(statistics)} here and ${there} in attr`)
    } else if (kept.granularity !== granularity && object.has('gran'))
      object.fail('gran', `${granularity} here and ${kept.granularity} in attr`)
  }
}

const typeOfKey =
  (target: Draft): TypeOfOther =>
  (name, object, member) => {
    const key = target.attributes.get(name)
    if (key?.primaryKey) return key.type
    const keys = [...target.attributes.values()].flatMap((each) => (each?.primaryKey ? each.name : []))
    object.fail(member, `${quoted(name)} is no key of ${target.name}; a row is found by its key, ${keys.join(', ')}`)
    return undefined
  }

const typeOf = (source: Source): TypeOfOther => {
  if (source.kind === 'table') return () => 'OBJECT'
  if (source.kind === 'entity') return typeOfKey(source.draft)
  return (name, object, member) => findValue(source.draft, name, object, member)?.type
}

function checkKeys(pair: WireObject, condition: Reference['condition'], { attributes, name }: Draft): void {
  for (const [index, term] of condition.terms.entries()) {
    if (!isEqual(term)) pair.fail(`cmp[${index}]`, "must be EQ, since an entity's row is found by its key")
  }
  const named = condition.terms.map(({ other }) => other)
  if (new Set(named).size < named.length) pair.fail('cond', 'names a key twice')
  for (const [key, attribute] of attributes) {
    if (attribute?.primaryKey && !named.includes(key)) pair.fail('cond', `lacks ${quoted(key)}, a key of ${name}`)
  }
}

/** An event has at that point what it brought, what is computed with seq 1, and what earlier references brought. */
function checkRead(
  pair: WireObject,
  { terms }: Reference['condition'],
  draft: Draft,
  earlier: ReadonlySet<string>,
): void {
  const early = new Set([...draft.computed.values()].flatMap((each) => (each.isBeforeReferences ? each.name : [])))
  const isThere = (name: string) =>
    isTime(draft, name) ||
    [draft.brought, early, earlier].some((names) => names.has(name) || names.has(name.split('.')[0] ?? ''))
  for (const [index, term] of terms.entries()) {
    for (const name of attributesRead(term).filter((each) => !isThere(each))) {
      const why = draft.referred.has(name)
        ? 'comes with this reference or a later one; references are looked up in their order'
        : 'is computed after the references; give it seq 1'
      pair.fail(`args[${index}]`, `${quoted(name)} ${why}`)
    }
  }
}

function decodeCondition(reference: SentReference, draft: Draft, earlier: ReadonlySet<string>) {
  const { object, source } = reference
  const pair = object.object('jqry')
  const condition = pair && source && decodePair(pair, draft, typeOf(source))
  if (pair === undefined || condition === undefined) return undefined
  if (condition.between !== 'any')
    pair.fail('seq', 'belongs to a pattern over one stream; a reference takes the latest row')
  if (source?.kind === 'entity') checkKeys(pair, condition, source.draft)
  checkRead(pair, condition, draft, earlier)
  return condition
}

const shownSource = (source: Source): Reference['source'] =>
  source.kind === 'table' ? source : { kind: source.kind, stream: source.draft.name }

/** The references of a stream, once all attributes of all streams are known. */
export function decodeReferences(sent: readonly SentReference[], draft: Draft, figures: Figures): readonly Reference[] {
  const earlier = new Set<string>()
  return sent.flatMap((reference): readonly Reference[] => {
    const { name, results, sources, source, whenPresent, asOf } = reference
    if (asOf && source && source.kind !== 'stream')
      reference.object.fail(
        'as_of',
        `belongs to the rows of a stream; ${source.kind === 'table' ? "a table's record is that of the event's arrival" : "an entity's row has all events that came before"}`,
      )
    checkSources(reference, figures)
    checkResults(reference, draft, figures)
    const condition = decodeCondition(reference, draft, earlier)
    for (const result of results) earlier.add(result)
    if (name === undefined || source === undefined || condition === undefined) return []
    return [{ name, source: shownSource(source), results, sources, condition, whenPresent, ...(asOf && { asOf }) }]
  })
}
