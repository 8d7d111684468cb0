import { z } from 'zod'
import { anything, text, texts, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Reference } from '../check/notes.ts'
import { findStream, findTarget } from '../find-stream.ts'
import { attributeOfRun, type RunValue, runValueOf, typeOfRunValue } from '../run-values.ts'
import type { Attribute, Rule, RuleCondition } from '../schema.ts'
import { clientName, notification } from '../values.ts'
import { absentOnWire, addAbsentRow, checkAbsentRow, readAbsent, type SentAbsence } from './absent.ts'
import { type Closing, closingOnWire, decodeClosing } from './closing.ts'
import { computedOnWire } from './computed.ts'
import { checkDerivedComputed, type DerivedComputed, readDerivedComputed } from './derived-computed.ts'
import { type Attributes, type Draft, type Drafts, findAttribute, findValue, takenOver, withFields } from './draft.ts'
import { attributesRead } from './pair-attributes.ts'
import { decodePair, isEqual, pairOnWire } from './pair-condition.ts'
import { decodeQuery, queryOnWire } from './query.ts'
import { seconds, secondsOnWire } from './seconds.ts'

const names = texts.default([])
const common = {
  name: clientName,
  tloc: secondsOnWire
    .optional()
    .meta({ description: 'seconds by which the two events differ at most; absent or 0: 86400' }),
  iatr: names.meta({ description: 'attributes of the event that triggers' }),
  ratr: names.meta({
    description: 'attributes of the other event; of a run also first.x, count, sum.x, min.x, max.x and avg.x',
  }),
  fqry: queryOnWire.optional().meta({ description: 'only events that pass take part' }),
  catr: z.array(computedOnWire).optional().meta({ description: 'computed over the row' }),
  ostm: text.optional().meta({ description: 'the stream of type 3 that gets the rows' }),
  notf: notification,
  absent: absentOnWire.optional(),
}

/** One of `join`. */
export const joinOnWire = z
  .object({
    ...common,
    type: wholeNumber(1, 6).meta({
      description:
        '1: both are active; 2 passive with 4 active: the very latest; 3 passive with 5 active: the latest that satisfies; 6: every pair',
    }),
    rstm: text.meta({ description: 'the other stream, which declares the join as well' }),
    jqry: pairOnWire.optional().meta({ description: 'of a passive side it means nothing' }),
  })
  .meta({ id: 'Join' })

const skipOnWire = z.literal('past', { error: 'must be past' }).meta({
  description: 'past: a match uses its events up, and the next run of the key begins behind it',
})

/** One of `cepq`. */
export const patternOnWire = z
  .object({
    ...common,
    type: wholeNumber(1, 6).meta({
      description: '6: every event that passes fqry; 1 to 5 as in a join, 1 also over the stream itself',
    }),
    rstm: text.optional().meta({ description: 'this stream (a run) or another' }),
    jqry: pairOnWire.optional(),
    cond: closingOnWire,
    skip: skipOnWire.optional(),
  })
  .meta({ id: 'Pattern' })

type Kind = Rule['kind']
const shapes = { join: joinOnWire.shape, pattern: patternOnWire.shape } as const
export const ruleMembers = { join: 'join', pattern: 'cepq' } as const

/** A rule as it was sent, before the attributes are known that it reads. */
export type SentRule = {
  readonly object: WireObject
  readonly kind: Kind
  readonly name: string | undefined
  /** `type`; undefined where it has a fault. */
  readonly type: number | undefined
  readonly mode: Rule['mode'] | undefined
  readonly role: Rule['role']
  readonly draft: Draft
  readonly partner: Draft | undefined
  readonly target: string | undefined
  readonly to: Draft | undefined
  readonly inputs: readonly string[]
  readonly results: readonly string[]
  readonly skip: 'past' | undefined
  readonly derived: DerivedComputed
  readonly distance_us: number | undefined
  readonly notification: number | undefined
  readonly absent: SentAbsence | undefined
}

type Meaning = readonly [Rule['mode'], Rule['role']]
const modes: readonly (readonly [type: number, Meaning])[] = [
  [1, ['pair', 'both']],
  [2, ['latest', 'passive']],
  [3, ['matching', 'passive']],
  [4, ['latest', 'active']],
  [5, ['matching', 'active']],
]
const modesOf: Readonly<Record<Kind, ReadonlyMap<number | undefined, Meaning>>> = {
  join: new Map([...modes, [6, ['all', 'both']]]),
  pattern: new Map([...modes, [6, ['single', 'active']]]),
}

const day_s = 86_400

function readPartner(
  object: WireObject,
  kind: Kind,
  type: number | undefined,
  draft: Draft,
  drafts: Drafts,
): Draft | undefined {
  const isAlone = kind === 'pattern' && type === 6
  const needed = !isAlone
  if (!needed && !object.has('rstm')) return undefined
  const name = object.take('rstm', needed ? text : shapes.pattern.rstm)
  const found = name === undefined ? undefined : findStream(drafts, name, object, 'rstm')
  if (found === undefined || type === undefined) return undefined
  if (isAlone) {
    object.note('rstm', 'does nothing: a pattern of type 6 has no partner')
    return undefined
  }
  const problem = unfitPartner(found, kind, type, draft)
  if (problem !== undefined) object.fail('rstm', problem)
  return problem === undefined ? found : undefined
}

function unfitPartner(partner: Draft, kind: Kind, type: number, draft: Draft): string | undefined {
  if (partner.kind === 'entity')
    return `${quoted(partner.name)} is an entity stream and has no events; refr reads its rows`
  if (partner !== draft) return undefined
  if (kind === 'join')
    return `${quoted(partner.name)} is this stream itself; a pattern (cepq) of type 1 joins events of one stream`
  return type === 1 ? undefined : `${quoted(partner.name)} is this stream itself, with which only type 1 goes`
}

function readTarget(object: WireObject, role: Rule['role'], drafts: Drafts): Pick<SentRule, 'target' | 'to'> {
  const isNeeded =
    role !== 'passive' && ['notf', 'absent'].every((member) => object.take(member, anything) === undefined)
  if (isNeeded && !object.has('ostm')) object.fail('ostm', 'is missing; a rule needs ostm, notf or absent')
  const target = object.has('ostm') ? object.take('ostm', text) : undefined
  return { target, to: target === undefined ? undefined : findTarget(drafts, target, 'join', object, 'ostm') }
}

function readRule(object: WireObject, kind: Kind, draft: Draft, drafts: Drafts): SentRule {
  object.only(kind === 'join' ? { ...joinOnWire.shape, cond: anything, skip: anything } : patternOnWire.shape)
  const name = object.take('name', common.name)
  const type = object.take('type', shapes[kind].type)
  const [declared, role = 'both'] = modesOf[kind].get(type) ?? []
  const partner = readPartner(object, kind, type, draft, drafts)
  if (kind === 'join' && object.has('cond')) object.fail('cond', 'belongs to a pattern (cepq); a join counts nothing')
  const isRun = partner === draft && declared === 'pair'
  if (object.has('skip') && !isRun)
    object.fail('skip', 'belongs to a run: a pattern (cepq) of type 1 whose rstm is its own stream')
  const notified = object.take('notf', common.notf)
  if (notified !== undefined)
    object.refer('notf', (path) => ({ kind: 'notification', path, notifid: notified }) satisfies Reference)
  const aims = readTarget(object, role, drafts)
  const distance_us = seconds(object, 'tloc', day_s)
  const absent = readAbsent(object, distance_us ?? day_s * 1e6, drafts)
  if (absent && declared === 'single')
    object.fail('absent', 'has nothing to wait for: a pattern of type 6 has no partner')
  return {
    object,
    kind,
    name,
    type,
    mode: isRun ? 'run' : declared,
    role: isRun ? 'active' : role,
    draft,
    partner,
    ...aims,
    inputs: [...new Set(object.take('iatr', common.iatr) ?? [])],
    results: [...new Set(object.take('ratr', common.ratr) ?? [])],
    skip: isRun ? object.take('skip', shapes.pattern.skip) : undefined,
    derived: readDerivedComputed(object),
    distance_us,
    notification: notified,
    absent,
  }
}

/** `join` and `cepq` */
export const readRules = (draft: Draft, drafts: Drafts): readonly SentRule[] =>
  draft.kind === 'entity'
    ? []
    : (['join', 'pattern'] as const).flatMap((kind) =>
        draft.object.list(ruleMembers[kind]).map((object) => readRule(object, kind, draft, drafts)),
      )

/** Whether events of that side make rows. */
export const makesRows = ({ role }: Pick<SentRule, 'role'>): boolean => role !== 'passive'

/** The values of its run that a rule's row has: names that its stream has no attribute of. */
const valuesOfRun = ({ mode, draft, results }: Pick<SentRule, 'mode' | 'draft' | 'results'>): RunValue[] =>
  mode === 'run' ? results.flatMap((name) => (draft.attributes.has(name) ? [] : (runValueOf(name) ?? []))) : []

/** The attributes of a rule's row, before its own are computed: of a name of both events the triggering one's. */
function attributesOfRow(rule: SentRule): Attributes {
  const { draft, partner, inputs, results } = rule
  const row: Attributes = new Map()
  const take = (names: readonly string[], from: Draft) => {
    for (const name of withFields(names, from.attributes)) {
      if (!row.has(name)) row.set(name, takenOver(name, from.attributes.get(name)))
    }
  }
  take(inputs, draft)
  if (partner) take(results, partner)
  const ofRun = valuesOfRun(rule)
  const own = ofRun.length > 0 ? [...draft.attributes.values()] : []
  for (const { path, of, attribute: over } of ofRun) {
    const paths =
      of === 'first' && over !== '_pk' ? withFields([over], draft.attributes).map((name) => `first.${name}`) : [path]
    for (const each of paths.flatMap((name) => runValueOf(name) ?? [])) {
      const attribute = attributeOfRun(each, own)
      if (attribute && !row.has(each.path)) row.set(each.path, attribute)
    }
  }
  return row
}

/** Members of a rule's row that have the other event's values, also of names that the triggering one has. */
const othersOf = ({ partner, results }: SentRule): string[] =>
  (partner ? withFields(results, partner.attributes) : [])
    .filter((name) => partner?.attributes.get(name)?.type !== 'OBJECT')
    .map((name) => `_j1.${name}`)

/** The stream that gets the rows of events without a partner has their attributes. */
export function addRowOfAbsent({ absent, inputs, draft }: SentRule): void {
  if (absent) addAbsentRow(absent, inputs, draft)
}

/** The stream that gets the rows has their attributes, those that it lacks with the types of their sources. */
export function addRow(rule: SentRule): void {
  const { to, derived } = rule
  if (to === undefined) return
  const add = (name: string, attribute: Attribute | undefined) => {
    to.brought.add(name)
    if (!to.attributes.has(name)) to.attributes.set(name, attribute)
  }
  for (const [name, attribute] of attributesOfRow(rule)) add(name, attribute)
  for (const [name, attribute] of derived.attributes) add(name, attribute)
  for (const name of othersOf(rule)) to.others.add(name)
}

function checkTypes(rule: SentRule): void {
  const { object, draft, partner, inputs, results, to, derived } = rule
  const row = attributesOfRow(rule)
  for (const name of partner ? withFields(results, partner.attributes) : []) {
    const [own, other] = [inputs.includes(name) ? draft.attributes.get(name) : undefined, partner?.attributes.get(name)]
    if (own && other && own.type !== other.type)
      object.fail(
        'ratr',
        `${quoted(name)} is ${own.type} in ${draft.name} and ${other.type} in ${partner?.name}; a row has it once`,
      )
  }
  for (const [name, attribute] of to ? [...row, ...derived.attributes] : []) {
    const there = to?.attributes.get(name)
    if (attribute && there && attribute.type !== there.type)
      object.fail('ostm', `${quoted(name)} is ${attribute.type} in the row and ${there.type} in ${to?.name}`)
  }
}

/** A row has one member of a name, of an event or of the run. */
function checkRunValue(rule: SentRule, value: RunValue, member: string): void {
  const { object, draft, inputs, results, derived } = rule
  const { path, of, attribute } = value
  const [root] = path.split('.', 1)
  const others = [...inputs, ...results.filter((name) => draft.attributes.has(name)), ...derived.attributes.keys()]
  if (others.some((name) => name.split('.', 1)[0] === root))
    object.fail(member, `${quoted(path)} is of the run, and the row has ${quoted(root ?? '')} of an event already`)
  if (attribute === '' || attribute === '_pk') return
  const over = findAttribute(draft, attribute, object, member)
  if (over && typeOfRunValue(value, over.type) === undefined)
    object.fail(member, `${quoted(attribute)} is ${over.type}; ${of} is over a LONG or DOUBLE`)
}

function checkNames(rule: SentRule): void {
  const { object, draft, partner, inputs, results, mode } = rule
  const ofRun = new Map(valuesOfRun(rule).map((value) => [value.path, value]))
  for (const [index, name] of inputs.entries()) {
    if (name !== '_pk') findAttribute(draft, name, object, `iatr[${index}]`)
  }
  if (mode === 'single' && results.length > 0) object.note('ratr', 'does nothing: a pattern of type 6 has no partner')
  for (const [index, name] of partner ? results.entries() : []) {
    const value = ofRun.get(name)
    if (value) checkRunValue(rule, value, `ratr[${index}]`)
    else if (name === '_pk') object.fail(`ratr[${index}]`, 'the _pk of the other event is in the row as _jpk1')
    else if (partner) findAttribute(partner, name, object, `ratr[${index}]`)
  }
}

function decodeJoining({ object, draft, partner, mode, role }: SentRule): Rule['condition'] {
  if (mode === 'single') {
    if (object.has('jqry')) object.note('jqry', 'does nothing: a pattern of type 6 has no partner')
    return undefined
  }
  if (role === 'passive' && !object.has('jqry')) return undefined
  const pair = object.object('jqry')
  const condition =
    pair && partner && decodePair(pair, draft, (name, at, member) => findValue(partner, name, at, member)?.type)
  if (!pair || !condition) return undefined
  if (condition.between !== 'any' && mode !== 'run')
    pair.fail('seq', 'must be 0 over two streams; 1 and 2 belong to a pattern over one stream')
  if (condition.between === 'none of the key') {
    const isKeyed = condition.terms.some(
      (term) => isEqual(term) && term.value.kind === 'attribute' && attributesRead(term).includes(term.other),
    )
    if (!isKeyed)
      pair.fail('seq', '2 needs a pair of one attribute with itself by EQ, such as cond ["point"], args ["point"]')
  }
  return condition
}

const both = (left: RuleCondition | undefined, right: RuleCondition | undefined): RuleCondition | undefined =>
  left && right ? { kind: 'and', terms: [left, right] } : (left ?? right)

const counted: Closing = { count: 1 }

const runDrafts = new WeakMap<Draft, Draft>()

/** The event that ends a run has the values of the run beside its own. */
function runDraft(draft: Draft): Draft {
  const known = runDrafts.get(draft)
  if (known) return known
  const own = [...draft.attributes.values()]
  const attributes: Attributes = new Map(draft.attributes)
  for (const of of ['count', 'first', 'sum', 'min', 'max', 'avg']) {
    for (const name of of === 'count' ? [''] : ['_pk', ...draft.attributes.keys()]) {
      const value = runValueOf(of === 'count' ? of : `${of}.${name}`)
      const attribute = value && attributeOfRun(value, own)
      if (attribute && !attributes.has(attribute.name)) attributes.set(attribute.name, attribute)
    }
  }
  const made = { ...draft, attributes }
  runDrafts.set(draft, made)
  return made
}

function decodeEnd({ object, kind, mode, draft }: SentRule, drafts: Drafts): Closing {
  if (kind === 'join') return counted
  return decodeClosing(object, { draft: mode === 'run' ? runDraft(draft) : draft, drafts }, mode === 'single')
}

function decodeRule(rule: SentRule, drafts: Drafts): Rule | undefined {
  const { object, kind, name, mode, role, draft, partner, inputs, results, target, notification: notified } = rule
  checkNames(rule)
  checkTypes(rule)
  if (rule.absent) checkAbsentRow(rule.absent, inputs, draft)
  const condition = decodeJoining(rule)
  const isFiltered = object.has('fqry') || mode === 'single'
  const filter = isFiltered ? decodeQuery(object, { draft, drafts }) : undefined
  const { closing, ...end } = decodeEnd(rule, drafts)
  const row: Draft = target === undefined || rule.to === undefined ? { ...draft, kind: 'join' } : rule.to
  const computed = checkDerivedComputed(row, object, rule.derived, attributesOfRow(rule), new Set(othersOf(rule)))
  if (name === undefined || mode === undefined || rule.distance_us === undefined) return undefined
  const isSingle = mode === 'single'
  const passing = isSingle ? both(filter, closing) : filter
  const ofRun = valuesOfRun(rule)
    .map(({ path }) => path)
    .sort()
  return {
    kind,
    name,
    mode,
    role,
    ...(partner && { partner: partner.name }),
    distance_us: rule.distance_us,
    inputs: withFields(inputs, draft.attributes),
    results: isSingle || !partner ? [] : withFields(results, partner.attributes),
    ...(ofRun.length > 0 && { runResults: ofRun }),
    ...(rule.skip && { skip: rule.skip }),
    ...(condition && { condition }),
    ...(passing && { filter: passing }),
    computed,
    ...(target !== undefined && { target }),
    ...(notified !== undefined && { notification: notified }),
    ...end,
    ...(!isSingle && closing && { closing }),
    ...(rule.absent?.absence && { absent: rule.absent.absence }),
  }
}

/** The rules of a stream, once all attributes of all streams are known. */
export const decodeRules = (sent: readonly SentRule[], drafts: Drafts): readonly Rule[] =>
  sent.flatMap((rule) => decodeRule(rule, drafts) ?? [])
