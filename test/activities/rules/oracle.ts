/**
 * The rules in as many words as the interface has for them, over lists of all events before, with nothing of the product:
 * the steps have to agree with it.
 */
import type { Event, Json } from '../../../base/json.ts'
import type {
  MovingValue,
  PairCondition,
  PairTerm,
  Rule,
  RuleCondition,
  RuleOperand,
  Schema,
  Stream,
} from '../../../sql/schema/schema.ts'

/** `came`: when it came by the clock that rules go by; its place in the log tells it where that clock is the log's own. */
export type Sent = {
  readonly stream: string
  readonly event: Event
  readonly pk: number
  readonly seq: number
  readonly came?: number
}
/** `to` is a stream, or the number of a notification. */
export type Result = { readonly to: string | number; readonly event: Event; readonly pk: number }

type Scalar = string | number | bigint | boolean

const fieldOf = (event: Event, path: string): Json | undefined => {
  let value: Json | undefined = event
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = value[step]
  }
  return value ?? undefined
}

const attributeAt = ({ event, pk }: Sent, path: string): Scalar | undefined => {
  const value = path === '_pk' ? pk : fieldOf(event, path)
  return typeof value === 'object' ? undefined : value
}

function compares(left: Scalar | undefined, operator: string, right: Scalar | undefined): boolean {
  if (left === undefined || right === undefined) return false
  let order: number
  if (typeof left === 'string' && typeof right === 'string') {
    order = Buffer.compare(Buffer.from(left), Buffer.from(right))
  } else if (typeof left === 'string' || typeof right === 'string') return false
  else if ((typeof left === 'boolean') !== (typeof right === 'boolean')) return false
  else order = left < right ? -1 : left > right ? 1 : 0
  if (operator === '=') return order === 0
  if (operator === '!=') return order !== 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

const sum = (values: readonly number[]): number => values.reduce((left, right) => left + right, 0)

function deviation(values: readonly number[]): number {
  if (new Set(values).size === 1) return 0
  const mean = sum(values) / values.length
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
}

export const statistics: Readonly<Record<MovingValue['statistic'], (values: readonly number[]) => number>> = {
  AVG: (values) => sum(values) / values.length,
  SUM: sum,
  STD: deviation,
  MIN: (values) => Math.min(...values),
  MAX: (values) => Math.max(...values),
  COUNT: (values) => values.length,
}

/** The values of an attribute in the whole intervals that overlap the window before an event. */
export function valuesInWindow(
  past: readonly Sent[],
  { stream, attribute, length_us, granularity }: MovingValue,
  pk: number,
) {
  const interval = (time: number): number => Math.floor(time / (granularity * 1e6))
  return past
    .filter((each) => each.stream === stream)
    .filter((each) => interval(each.pk) >= interval(pk - length_us) && interval(each.pk) <= interval(pk))
    .map((each) => attributeAt(each, attribute))
    .filter((value) => value !== undefined)
    .map(Number)
}

function moving(past: readonly Sent[], value: MovingValue, sent: Sent): number | undefined {
  const { by } = value
  const key = by === undefined ? undefined : attributeAt(sent, by)
  if (by !== undefined && key === undefined) return undefined
  const alike = by === undefined ? past : past.filter((each) => attributeAt(each, by) === key)
  const values = valuesInWindow(alike, value, sent.pk)
  if (values.length === 0 && value.statistic !== 'COUNT' && value.statistic !== 'SUM') return undefined
  const result = statistics[value.statistic](values)
  if (value.margin === undefined) return result
  return value.margin.kind === 'amount' ? result + value.margin.value : result * (1 + value.margin.value / 100)
}

/** `past` ends with the event itself. */
function holds(condition: RuleCondition, sent: Sent, past: readonly Sent[]): boolean {
  if ('terms' in condition) {
    const isEach = condition.kind === 'and'
    return condition.terms[isEach ? 'every' : 'some']((term) => holds(term, sent, past))
  }
  const valueOf = (operand: RuleOperand): Scalar | undefined => {
    if (operand.kind === 'moving') return moving(past, operand, sent)
    if (operand.kind === 'attribute') return attributeAt(sent, operand.path)
    return operand.kind === 'number' ? Number(operand.text) : operand.value
  }
  return compares(valueOf(condition.left), condition.operator, valueOf(condition.right))
}

/** Of expressions the tests have sums of an attribute and a number alone. */
function otherSide({ value }: PairTerm, sent: Sent): Scalar | undefined {
  if (value.kind === 'attribute') return attributeAt(sent, value.name)
  if (value.kind === 'fixed') return value.value
  const [, name = '', added = ''] = /^\$(\S+) \+ (\d+)$/.exec(value.text) ?? []
  const number = attributeAt(sent, name)
  return typeof number === 'number' || typeof number === 'bigint' ? Number(number) + Number(added) : undefined
}

const satisfies = ({ terms }: PairCondition, other: Sent, sent: Sent): boolean =>
  terms.every((term) => compares(attributeAt(other, term.other), term.operator, otherSide(term, sent)))

function put(event: Event, path: string, value: Json | undefined): void {
  if (value === undefined) return
  const steps = path.split('.')
  const last = steps.pop() ?? path
  let object = event
  for (const step of steps) {
    const within = (object[step] ?? {}) as Event
    object[step] = within
    object = within
  }
  object[last] = structuredClone(value)
}

function rowOf(rule: Rule, sent: Sent, other?: Sent): Event {
  const row: Event = { _pk: sent.pk }
  for (const name of rule.inputs) put(row, name, fieldOf(sent.event, name))
  if (other === undefined) return row
  const whole: Event = {}
  for (const name of rule.results) {
    put(whole, name, fieldOf(other.event, name))
    if (!rule.inputs.includes(name)) put(row, name, fieldOf(other.event, name))
  }
  return { ...row, _jpk1: other.pk, _j1: whole }
}

/** A value of all events of a run, by its path. */
function ofRun(run: readonly Sent[], path: string): Json | undefined {
  if (path === 'count') return run.length
  const [of = '', ...steps] = path.split('.')
  const name = steps.join('.')
  const [first] = run
  if (of === 'first') return first && name === '_pk' ? first.pk : first && fieldOf(first.event, name)
  const values = run.flatMap((each) => attributeAt(each, name) ?? []) as (number | bigint)[]
  if (values.length === 0) return undefined
  const sorted = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0))
  if (of === 'min' || of === 'max') return sorted.at(of === 'min' ? 0 : -1)
  return sum(values.map(Number)) / (of === 'avg' ? values.length : 1)
}

const runPaths = /^(count|(first|sum|min|max|avg)\..+)$/

/** The paths of a condition that are of the run. */
function pathsIn(condition: RuleCondition | undefined): string[] {
  if (condition === undefined) return []
  if ('terms' in condition) return condition.terms.flatMap(pathsIn)
  return [condition.left, condition.right].flatMap((each) =>
    each.kind === 'attribute' && runPaths.test(each.path) ? [each.path] : [],
  )
}

/** An event that took part in a rule. */
type Part = {
  readonly sent: Sent
  isFree: boolean
  run: Sent[]
  met: number[]
  /** When it came it was too old already for all events of its key. */
  isLate: boolean
}

/**
 * All that took part in a rule so far, of both streams, the rows of each key, and by key the newest time that was seen, with
 * when it came.
 */
type Played = {
  readonly parts: Part[]
  readonly rows: Map<string, Sent[]>
  readonly newest: Map<string, { readonly pk: number; readonly seq: number }>
}

const tenMinutes = 600_000_000

/** Whether an event is remembered no more by the time at which it came. */
const isPast = ({ pk, seq }: Pick<Sent, 'pk' | 'seq'>, distance_us: number, now: number): boolean =>
  Math.max(pk, seq) < now - distance_us - Math.max(distance_us, tenMinutes)

const cameOf = ({ came, seq }: Sent): number => came ?? seq

/** Whether a term asks for one value of one attribute on both sides. */
const isSelf = ({ operator, other, value }: PairTerm): boolean =>
  operator === '=' && value.kind === 'attribute' && value.name === other

/** The EQ pairs of a condition, each as `<stream>.<attribute>` of both sides. */
const keyTerms = ({ terms }: PairCondition, own: string, other: string) =>
  terms
    .filter(({ operator }) => operator === '=')
    .map((term) => {
      const { value } = term
      const mine = value.kind === 'attribute' ? value.name : value.kind === 'fixed' ? `=${value.value}` : value.text
      const sides = [`${own}.${mine}`, `${other}.${term.other}`]
      return { term, name: JSON.stringify(own < other ? sides : sides.reverse()) }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The key of an event by a condition of stream `own`: as the one that triggers, or as the other one. Undefined where a value is missing. */
function keyBy(condition: PairCondition, own: string, other: string, sent: Sent, isOther: boolean): string | undefined {
  const terms = keyTerms(condition, own, other)
  const values = terms.map(({ term }) => (isOther ? attributeAt(sent, term.other) : otherSide(term, sent)))
  if (values.includes(undefined)) return undefined
  const names = own === other ? '' : terms.map(({ name }) => name).join()
  return `${names} ${values.map((value) => `${typeof value === 'bigint' ? 'number' : typeof value} ${value}`).join('|')}`
}

/** An event whose rule reports it where it stays alone. */
type Lonely = { readonly rule: Rule; readonly streams: readonly string[]; readonly sent: Sent }

const second_us = 1_000_000

export function createOracle(schema: Schema) {
  const past: Sent[] = []
  const played = new Map<string, Played>()
  const lonely = new Map<string, Lonely>()
  const told: Lonely[] = []
  const lonelyKey = ({ kind, name }: Rule, { stream, seq }: Sent): string => `${kind} ${name} ${stream} ${seq}`

  /** An event has met none so far. */
  function wait(rule: Rule, sent: Sent): void {
    if (rule.absent) lonely.set(lonelyKey(rule, sent), { rule, streams: [sent.stream, rule.partner ?? ''], sent })
  }
  const met = (rule: Rule, { sent }: Part): unknown => lonely.delete(lonelyKey(rule, sent))

  /** Ends the waits that are over at a time by the clock, or by the newest event of their rule. */
  function tell(now: number): void {
    for (const [key, each] of lonely) {
      const { absent } = each.rule
      if (!absent) continue
      const newest = past
        .filter(({ stream }) => each.streams.includes(stream))
        .reduce((most, { pk, seq }) => Math.max(most, Math.min(pk, seq)), Number.NEGATIVE_INFINITY)
      const { pk, seq } = each.sent
      if (newest <= pk + absent.after_us && now <= seq + absent.after_us + second_us) continue
      lonely.delete(key)
      told.push(each)
    }
  }

  const passes = (condition: RuleCondition | undefined, sent: Sent): boolean =>
    condition === undefined || holds(condition, sent, past)

  /** The last NUMT are within DUR. `times` ends with this one; the time that counts stands `back` before it. */
  const isWithin = ({ within_us }: Rule, times: readonly number[], back: number): boolean => {
    const [first, last] = [times.at(-1 - back), times.at(-1)]
    return within_us === undefined || Math.abs((last ?? Number.NaN) - (first ?? Number.NaN)) <= within_us
  }

  function meet(stream: Stream, rule: Rule, sent: Sent, isDeclared: boolean): Result[] {
    const id = `${rule.kind} ${rule.name}`
    const play: Played = played.get(id) ?? { parts: [], rows: new Map<string, Sent[]>(), newest: new Map() }
    played.set(id, play)
    if (isDeclared && !passes(rule.filter, sent)) return []
    const me: Part = { sent, isFree: false, run: [sent], met: [], isLate: false }
    const before = [...play.parts]
    play.parts.push(me)
    const { condition, distance_us } = rule
    const partnerRule = schema.streams
      .find(({ name }) => name === rule.partner)
      ?.rules.find((each) => each.kind === rule.kind && each.name === rule.name)
    const newestOf = (key: string): number => {
      const known = play.newest.get(key)
      return known && !isPast(known, distance_us, cameOf(sent)) ? known.pk : Number.NEGATIVE_INFINITY
    }
    // The rule sees the event under each key that it has: by this side's condition, and by that of the other side.
    const partner = rule.partner ?? ''
    const isLooking = condition && isDeclared && rule.role !== 'passive'
    const theirs =
      rule.mode === 'run' || !isDeclared
        ? condition
        : partnerRule?.role === 'passive'
          ? undefined
          : partnerRule?.condition
    const keys = [
      isLooking ? keyBy(condition, stream.name, partner, sent, false) : undefined,
      theirs ? keyBy(theirs, partner, stream.name, sent, true) : undefined,
    ]
    for (const key of keys) {
      if (key === undefined) continue
      const pk = Math.min(sent.pk, cameOf(sent))
      if (pk > newestOf(key)) play.newest.set(key, { pk, seq: sent.seq })
    }
    const [, own] = keys
    me.isLate = own !== undefined && newestOf(own) - sent.pk > distance_us
    const isNear = ({ sent: other, isLate }: Part): boolean => {
      if (isLate || condition === undefined || isPast(other, distance_us, cameOf(sent))) return false
      const key = keyBy(condition, stream.name, partner, other, true)
      return Math.abs(other.pk - sent.pk) <= distance_us && key !== undefined && newestOf(key) - other.pk <= distance_us
    }
    const conclude = (other?: Part): Result[] => {
      const seen = structuredClone(sent.event)
      for (const path of pathsIn(rule.closing)) put(seen, path, ofRun(me.run, path))
      if (!passes(rule.closing, { ...sent, event: seen })) return []
      const row = rowOf(rule, sent, other?.sent)
      for (const path of rule.runResults ?? []) put(row, path, ofRun(me.run, path))
      const shown = rule.mode === 'single' ? sent.event : row
      return [
        ...(rule.target === undefined ? [] : [{ to: rule.target, event: row, pk: sent.pk }]),
        ...(rule.notification === undefined ? [] : [{ to: rule.notification, event: shown, pk: sent.pk }]),
      ]
    }
    if (rule.mode === 'single') return conclude()
    const ofPartner = before.filter((part) => part.sent.stream === rule.partner)

    if (rule.mode === 'run') {
      if (condition === undefined) throw new Error('a run has a condition')
      let other: Part | undefined
      if (condition.between === 'any') {
        other = ofPartner.find((part) => part.isFree && isNear(part) && satisfies(condition, part.sent, sent))
        if (other) other.isFree = false
      } else {
        const same = condition.terms.filter(isSelf)
        const agrees = (each: Sent): boolean =>
          condition.between === 'none of the stream' || satisfies({ ...condition, terms: same }, each, sent)
        const last = past.slice(0, -1).findLast((each) => each.stream === stream.name && agrees(each))
        const candidate = ofPartner.find((part) => part.sent === last)
        if (candidate?.isFree && isNear(candidate) && satisfies(condition, candidate.sent, sent)) other = candidate
      }
      me.isFree = true
      if (other) met(rule, other)
      const names = condition.terms.filter(isSelf).map((term) => term.other)
      const isCandidate =
        condition.between === 'any'
          ? own !== undefined
          : condition.between === 'none of the stream' || names.every((name) => attributeAt(sent, name) !== undefined)
      const waitAlone = (): unknown => isCandidate && !me.isLate && wait(rule, sent)
      if (other === undefined) {
        waitAlone()
        return []
      }
      me.run = [...other.run, sent]
      const times = me.run.map(({ pk }) => pk)
      const results = me.run.length > rule.count && isWithin(rule, times, rule.count) ? conclude(other) : []
      if (rule.skip === 'past' && results.length > 0) {
        me.isFree = false
        const key = keyBy(condition, stream.name, partner, sent, false)
        for (const part of before)
          if (key === keyBy(condition, stream.name, partner, part.sent, true)) part.isFree = false
      } else waitAlone()
      return results
    }

    if (rule.mode === 'all') {
      if (condition === undefined) throw new Error('a join has a condition')
      const found = ofPartner.filter((part) => isNear(part) && satisfies(condition, part.sent, sent))
      for (const part of found) met(partnerRule ?? rule, part)
      if (found.length === 0) wait(rule, sent)
      return found.flatMap(conclude)
    }

    if (rule.mode === 'pair') {
      const looks = isDeclared && condition !== undefined
      const other = looks
        ? ofPartner.find((part) => part.isFree && isNear(part) && satisfies(condition, part.sent, sent))
        : undefined
      if (other === undefined) {
        me.isFree = true
        if (isDeclared) wait(rule, sent)
        return []
      }
      other.isFree = false
      met(partnerRule ?? rule, other)
      const key = JSON.stringify(
        (condition?.terms ?? [])
          .filter(({ operator }) => operator === '=')
          .map((term) => [
            term.other,
            Number(attributeAt(other.sent, term.other)) || attributeAt(other.sent, term.other),
          ])
          .sort(),
      )
      const rows = play.rows.get(key) ?? []
      play.rows.set(key, rows)
      const last = rows.at(-1)
      const mine = condition && keyBy(condition, stream.name, partner, sent, false)
      if (rule.within_us !== undefined && last && mine !== undefined) {
        const longest = distance_us + rule.within_us
        if (newestOf(mine) - last.pk > longest || isPast(last, longest, cameOf(sent))) rows.length = 0
      }
      rows.push(sent)
      const times = rows.map(({ pk }) => pk)
      return rows.length >= rule.count && isWithin(rule, times, rule.count - 1) ? conclude(other) : []
    }

    if (rule.role === 'passive' || condition === undefined) {
      wait(rule, sent)
      return []
    }
    let other: Part | undefined
    if (rule.mode === 'latest') {
      const last = ofPartner.at(-1)
      if (last && isNear(last) && satisfies(condition, last.sent, sent)) other = last
    } else {
      // A later one that satisfies takes the place of those before it; one that is the later in `_pk` too.
      const satisfying = ofPartner.filter((part) => satisfies(condition, part.sent, sent))
      other = satisfying.findLast(
        (part, index) => isNear(part) && satisfying.slice(index + 1).every((later) => later.sent.pk < part.sent.pk),
      )
    }
    if (other === undefined) {
      wait(rule, sent)
      return []
    }
    met(partnerRule ?? rule, other)
    other.met.push(sent.pk)
    return other.met.length >= rule.count && isWithin(rule, other.met, rule.count - 1) ? conclude(other) : []
  }

  return {
    past,
    /** The rows of events that met none by a time, in whatever order. */
    absences(now: number): Result[] {
      tell(now)
      return told.flatMap(({ rule, sent }) => {
        const { after_us, target, notification } = rule.absent ?? { after_us: 0 }
        const pk = sent.pk + after_us
        const event = { ...rowOf(rule, sent), _pk: pk }
        return [target, notification].flatMap((to) => (to === undefined ? [] : [{ to, event, pk }]))
      })
    },
    /** The rows and matches of an event. */
    step(sent: Sent): Result[] {
      past.push(sent)
      tell(sent.seq)
      const stream = schema.streams.find(({ name }) => name === sent.stream)
      if (stream === undefined) return []
      const results: Result[] = []
      for (const { condition, attributes, target, notification } of stream.movingFilters) {
        if (!holds(condition, sent, past)) continue
        const copy: Event = { _pk: sent.pk }
        for (const name of attributes) put(copy, name, fieldOf(sent.event, name))
        if (target !== undefined) results.push({ to: target, event: copy, pk: sent.pk })
        if (notification !== undefined) results.push({ to: notification, event: sent.event, pk: sent.pk })
      }
      for (const kind of ['join', 'pattern'] as const) {
        for (const rule of stream.rules) if (rule.kind === kind) results.push(...meet(stream, rule, sent, true))
        for (const other of schema.streams) {
          for (const rule of other.rules) {
            const isDeclared = stream.rules.some((each) => each.kind === kind && each.name === rule.name)
            if (other === stream || rule.kind !== kind || rule.partner !== stream.name || isDeclared) continue
            meet(stream, { ...rule, partner: other.name }, sent, false)
          }
        }
      }
      return results
    },
  }
}
