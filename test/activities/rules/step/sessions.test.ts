/** Sessions, step by step, beside walks over all events in plain TypeScript that keep no statistic. */
import { deepStrictEqual } from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import type { Made } from '../../../../activities/rules/rule-event.ts'
import { compileStep } from '../../../../activities/rules/step/compile.ts'
import type { Event } from '../../../../base/json.ts'
import type { Schema, Session, Statistics } from '../../../../sql/schema/schema.ts'
import { runs, seed } from '../../../support/random/seed.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, madeStream, schemaOf } from './schemas.ts'

const era = 1_790_000_000_000_000
const second = 1_000_000
const clockGrace = second

type Sent = {
  readonly k: string
  readonly x?: number
  readonly pk: number
  readonly came: number
  readonly seq: number
}

const all: Statistics = { kinds: ['COUNT', 'UCOUNT', 'RSTAT', 'QUANTILES', 'LAST', 'FIRST'], levels: [0.5] }

function schemaWith(session: Session, statistics: Statistics = all): Schema {
  const attributes = [attribute('k', 'STRING'), attribute('x', 'DOUBLE')]
  return schemaOf('s', [
    inputStream('a', attributes, {
      groupBys: [{ pattern: ['k'], input: 'x', statistics, granularity: 60, session: { ...session, target: 'rows' } }],
      entities: [
        {
          ...{ name: 'e', statistics: { kinds: ['COUNT'] }, results: ['n'], inputs: ['x'], target: 'e' },
          keys: [{ name: 'k', type: 'STRING', inputs: ['k'] }],
          session: { ...session, target: 'counted' },
        },
      ],
    }),
    inputStream('e', [attribute('k', 'STRING', { primaryKey: true }), attribute('n', 'LONG')], { kind: 'entity' }),
    madeStream('rows', []),
    madeStream('counted', []),
  ])
}

type Rows = readonly { readonly to: string; readonly row: Event }[]

/** The rows that steps make, and those of turns of no event: after the events that `isTurn` says, and `end` behind the last one. */
function rowsOf(schema: Schema, sent: readonly Sent[], end: number, isTurn: (place: number) => boolean): Rows {
  const { step, due } = compileStep(schema)
  const state = createMemoryState({ isPacked: true })
  const rows: { to: string; row: Event }[] = []
  const made: Made = { row: (to, row) => rows.push({ to, row }), match: () => {} }
  function closeAll(most: number): void {
    for (;;) {
      const dues = due(state, state.waits, () => true, most)
      for (const each of dues) each.settle(state, made)
      if (dues.length < most) return
    }
  }
  for (const [place, { k, x, pk, came, seq }] of sent.entries()) {
    state.at(came)
    step('a', { event: { _pk: pk, k, ...(x !== undefined && { x }) }, pk: String(pk), seq }, state, made)
    if (isTurn(place)) closeAll(2)
  }
  state.at(end)
  closeAll(1_000)
  return rows
}

/** The row of a session by all of its events. */
function rowOfEvents(events: readonly Sent[], at: number): Event {
  const inTime = events.toSorted((one, other) => one.pk - other.pk || one.seq - other.seq)
  const values = inTime.flatMap(({ x }) => x ?? [])
  const sorted = values.toSorted((one, other) => one - other)
  const sum = values.reduce((so, each) => so + each, 0)
  const [first, last] = [inTime[0], inTime.at(-1)]
  return {
    ...{ _pk: at, k: first?.k ?? '', from: first?.pk ?? 0, to: last?.pk ?? 0 },
    ...{ cnt: values.length, unique: new Set(values).size, sum },
    ...{ min: sorted[0] ?? null, max: sorted.at(-1) ?? null, avg: values.length === 0 ? null : sum / values.length },
    ...(values.length > 0 && { first: values[0] ?? 0, last: values.at(-1) ?? 0 }),
  }
}

const inOrder = (rows: readonly Event[]): string[] => rows.map((row) => JSON.stringify(row)).sort()
/** The figures that the walks work out, in their order; sums of quarters are exact. */
const plain = ({ _pk, k, from, to, cnt, unique, sum, min, max, avg, first, last }: Event): Event => ({
  ...{ _pk: _pk ?? null, k: k ?? null, from: from ?? null, to: to ?? null, cnt: cnt ?? null, unique: unique ?? null },
  ...{ sum: sum ?? null, min: min ?? null, max: max ?? null, avg: avg ?? null },
  ...(first !== undefined && { first, last: last ?? null }),
})

const gaps = fc.constantFrom(5, 30, 100).map((seconds) => seconds * second)
const event = fc.record({
  k: fc.constantFrom('a', 'a', 'b'),
  x: fc.option(fc.constantFrom(-1.5, 0, 0.25, 2, 7, 1_000), { nil: undefined }),
})

test('sessions of events in order of time are what a sorted list is cut into', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  let found = 0
  const sentOf = fc.array(fc.tuple(event, fc.constantFrom(0, 1, 4, 5, 6, 29, 30, 31, 99, 100, 101, 500)), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  })
  fc.assert(
    fc.property(
      gaps,
      fc.constantFrom(10, 60, 86_400),
      sentOf,
      fc.array(fc.boolean()),
      (gap_us, most_s, given, turns) => {
        let pk = era
        const sent = given.map(([{ k, x }, step], index): Sent => {
          pk += step * second
          return { k, ...(x !== undefined && { x }), pk, came: pk + 1, seq: pk * 2 + index }
        })
        const longest_us = most_s * second
        const expected: Event[] = []
        for (const key of new Set(sent.map(({ k }) => k))) {
          let mine: Sent[] = []
          const close = (at?: number): void => {
            const last = mine.at(-1)
            if (last) expected.push(rowOfEvents(mine, at ?? last.pk + gap_us))
            mine = []
          }
          for (const each of sent.filter(({ k }) => k === key)) {
            const [first, last] = [mine[0], mine.at(-1)]
            if (first && last && each.pk - last.pk > gap_us) close()
            else if (first && each.pk - first.pk > longest_us) close(each.pk)
            mine.push(each)
          }
          close()
        }
        const schema = schemaWith({ gap_us, longest_us })
        const rows = rowsOf(schema, sent, pk + gap_us + 2 * clockGrace + 2, (place) => turns[place] ?? false)
        const ofGroup = rows.filter(({ to }) => to === 'rows').map(({ row }) => row)
        deepStrictEqual(inOrder(ofGroup.map(plain)), inOrder(expected))
        // The entity has the same sessions, with the number of all events.
        deepStrictEqual(
          rows.filter(({ to }) => to === 'counted').map(({ row }) => [row._pk, row.k, row.from, row.to]),
          ofGroup.map((row) => [row._pk, row.k, row.from, row.to]),
        )
        const events = rows.reduce((sum, { to, row }) => sum + (to === 'counted' ? Number(row.cnt) : 0), 0)
        deepStrictEqual(events, sent.length)
        found += expected.length
      },
    ),
    { numRuns: runs(400, 10_000) },
  )
  t.true(found > 0)
})

/** Walks over the events as they come, with lists of events for sessions: they say in words of their own what is open. */
function walk(sent: readonly Sent[], { gap_us, longest_us }: Session, end: number): Event[] {
  const rows: Event[] = []
  let newest = Number.NEGATIVE_INFINITY
  type Key = { lists: Sent[][]; until: number; came: number }
  const keys = new Map<string, Key>()
  const ends = (list: readonly Sent[]) => {
    const times = list.map(({ pk }) => pk)
    return { from: Math.min(...times), to: Math.max(...times) }
  }
  const close = (list: readonly Sent[], at = ends(list).to + gap_us): void => void rows.push(rowOfEvents(list, at))
  const isSilent = ({ until, came }: Key, now: number): boolean => until < newest || came < now - gap_us - clockGrace
  for (const each of sent) {
    newest = Math.max(newest, Math.min(each.pk, each.came))
    const known = keys.get(each.k)
    let lists = known?.lists ?? []
    if (known && isSilent(known, each.came)) {
      for (const list of lists) close(list)
      lists = []
    }
    let mine: Sent[] = [each]
    const kept: Sent[][] = []
    for (const list of lists.toSorted((one, other) => ends(one).from - ends(other).from)) {
      const { from, to } = ends(list)
      const isNear = each.pk >= from - gap_us && each.pk <= to + gap_us
      const both = ends([...list, ...mine])
      if (isNear && both.to - both.from <= longest_us) mine = [...list, ...mine]
      else if (isNear && each.pk > to) close(list, each.pk)
      else if (!isNear && to + gap_us < newest) close(list)
      else kept.push(list)
    }
    keys.set(each.k, { lists: [...kept, mine], until: newest + gap_us, came: each.came })
  }
  for (const key of keys.values()) if (isSilent(key, end)) for (const list of key.lists) close(list)
  return rows
}

test('sessions of events that come late, ahead of their clock or not at all are those of a walk over all events', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  let found = 0
  const steps = fc.array(
    fc.record({
      event,
      step: fc.oneof(
        { arbitrary: fc.constantFrom(0, 1, 3, 6), weight: 6 },
        { arbitrary: fc.constantFrom(-1, -7, -35, -300, 31, 120), weight: 2 },
      ),
      /** Seconds from its time to its arrival: some clocks are ahead. */
      delay: fc.oneof(
        { arbitrary: fc.constantFrom(0, 1), weight: 6 },
        { arbitrary: fc.constantFrom(-40, 20), weight: 1 },
      ),
      pause: fc.oneof({ arbitrary: fc.constant(0), weight: 20 }, { arbitrary: fc.constantFrom(40, 500), weight: 1 }),
    }),
    { minLength: 1, maxLength: 40, size: 'max' },
  )
  const ends = fc.constantFrom(0, 20, 40, 1_000)
  fc.assert(
    fc.property(gaps, fc.constantFrom(20, 86_400), steps, fc.array(fc.boolean()), ends, (...given) => {
      const [gap_us, most_s, chosen, turns, silence] = given
      let [time, came] = [era, era]
      const sent = chosen.map(({ event: { k, x }, step, delay, pause }, index): Sent => {
        time += step * second
        came = Math.max(came + 10 + pause * second, time + Math.max(0, delay) * second)
        const pk = time - Math.min(0, delay) * second
        return { k, ...(x !== undefined && { x }), pk, came, seq: came * 2 + index }
      })
      const session = { gap_us, longest_us: most_s * second }
      const end = came + silence * second
      const expected = walk(sent, session, end)
      const rows = rowsOf(schemaWith(session), sent, end, (place) => turns[place] ?? false)
      deepStrictEqual(inOrder(rows.filter(({ to }) => to === 'rows').map(({ row }) => plain(row))), inOrder(expected))
      found += expected.length
    }),
    { numRuns: runs(400, 10_000) },
  )
  t.true(found > 0)
})

test('a session of a thousand events tells its median, its deviation and its different values', (t) => {
  const sent = Array.from({ length: 1_000 }, (_, index): Sent => {
    const pk = era + index * second
    return { k: 'a', x: (index * 7) % 1_000, pk, came: pk, seq: pk }
  })
  const schema = schemaWith({ gap_us: 5 * second, longest_us: 86_400 * second })
  const [only, ...more] = rowsOf(schema, sent, era + 2_000 * second, () => false).filter(({ to }) => to === 'rows')
  t.deepEqual(more, [])
  const { cnt, unique, avg, stdd, p50 } = only?.row ?? {}
  t.deepEqual([cnt, unique, avg], [1_000, 1_000, 499.5])
  t.true(Math.abs(Number(stdd) - 288.8194) < 0.001, `${stdd}`)
  t.true(Math.abs(Number(p50) / 499.5 - 1) < 0.01, `${p50}`)
})

test('the open sessions of an erased event go with it, and others of the key that are closed stay rows', (t) => {
  const schema = schemaWith({ gap_us: 5 * second, longest_us: 86_400 * second })
  const { step, due } = compileStep(schema)
  const state = createMemoryState()
  const rows: Event[] = []
  const made: Made = { row: (to, row) => to === 'rows' && rows.push(row), match: () => {} }
  for (const [seq, k] of ['a', 'b', 'a'].entries()) {
    state.at(era + seq)
    step('a', { event: { _pk: era + seq, k, x: 1 }, pk: String(era + seq), seq }, state, made)
  }
  state.forget(2)
  state.at(era + 60 * second)
  for (const each of due(state, state.waits, () => true, 10)) each.settle(state, made)
  t.deepEqual(
    rows.map(({ k }) => k),
    ['b'],
  )
  t.is(state.size(), 1, 'the newest time of the stream alone is left')
})

test('a turn of no event closes no session whose next event has come and is not committed yet', (t) => {
  const schema = schemaWith({ gap_us: 5 * second, longest_us: 86_400 * second })
  const { step, due } = compileStep(schema)
  const state = createMemoryState()
  const made: Made = { row: () => {}, match: () => {} }
  const send = (at: number): void => {
    state.at(at)
    step('a', { event: { _pk: at, k: 'a', x: 1 }, pk: String(at), seq: at }, state, made)
  }
  send(era)
  const committed = new Map<string, readonly (readonly [string, number])[]>()
  const before = (space: string) => {
    const known = committed.get(space) ?? state.waits(space).earliest(10)
    committed.set(space, known)
    return { size: known.length, oldest: () => known, earliest: () => known }
  }
  t.deepEqual(
    due(state, before, () => true, 10),
    [],
  )
  send(era + 10 * second)
  t.deepEqual(
    due(state, before, () => true, 10),
    [],
  )
})
