/** Runs with values over the run and with skip, and pairs: many rows by few keys, against the oracle. */
import { deepStrictEqual } from 'node:assert/strict'
import test from 'ava'
import { compileStep } from '../../../../activities/rules/step/compile.ts'
import type { PairCondition, PairTerm, Rule, Schema } from '../../../../sql/schema/schema.ts'
import type { Random } from '../../../support/random/random.ts'
import { randomFor, runs } from '../../../support/random/seed.ts'
import { createOracle, type Result, type Sent } from '../oracle.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, madeStream, ruleOf, schemaOf } from './schemas.ts'

const era = 1_790_000_000_000_000
const second = 1_000_000
const attributes = [attribute('k', 'STRING'), attribute('x', 'DOUBLE'), attribute('n', 'LONG')]
const key: PairTerm = { other: 'k', operator: '=', value: { kind: 'attribute', name: 'k' } }
const than = (operator: '<' | '<=' | '!='): PairTerm => ({
  ...{ other: 'x', operator },
  value: { kind: 'attribute', name: 'x' },
})

const schemaWith = (rule: Partial<Rule> & Pick<Rule, 'mode' | 'role'>): Schema =>
  schemaOf('s', [
    inputStream('a', attributes, {
      rules: [ruleOf({ partner: 'a', inputs: ['k', 'x'], results: ['x'], target: 'made', ...rule })],
    }),
    madeStream('made', attributes),
  ])

/** Events in about the order of their times: some are late, some lack a value. */
function randomEvents(random: Random, streams: readonly string[], count: number): Sent[] {
  let time = era
  return Array.from({ length: count }, (_, n): Sent => {
    time += random.whole(0, 3) * second
    const late = random.chance(0.15) ? random.whole(1, 20) * second : 0
    const event = {
      ...(random.chance(0.97) && { k: random.pick(['ann', 'bob', 'cy']) }),
      ...(random.chance(0.9) && { x: random.whole(0, 8) }),
      ...(random.chance(0.7) && { n: random.whole(-5, 5) }),
    }
    return { stream: random.pick(streams), event, pk: time - late, seq: time + n }
  })
}

/** The results of each event, and the memory behind the last one. */
function taken(schema: Schema, sent: readonly Sent[]) {
  const { step } = compileStep(schema)
  const state = createMemoryState({ isPacked: true })
  const results = sent.map(({ stream, event, pk, seq }) => {
    const made: Result[] = []
    state.at(seq)
    step(stream, { event, pk: String(pk), seq }, state, {
      row: (to, row, at) => made.push({ to, event: row, pk: Number(at) }),
      match: (to, shown, at) => made.push({ to, event: shown, pk: Number(at) }),
    })
    return made
  })
  return { results, state }
}

function expected(schema: Schema, sent: readonly Sent[]): Result[][] {
  const oracle = createOracle(schema)
  return sent.map((each) => oracle.step(each))
}

test('runs give the rows of a walk over all earlier events, with values over the run and skip', (t) => {
  const random = randomFor(t)
  let rows = 0
  for (let round = 0; round < runs(150, 3000); round++) {
    const schema = schemaWith({
      ...{ mode: 'run', role: 'active', count: random.whole(1, 3) },
      distance_us: random.pick([10, 60, 3600]) * second,
      condition: {
        terms: [
          ...(random.chance(0.8) ? [key] : []),
          ...(random.chance(0.8) ? [than(random.pick(['<', '<=', '!=']))] : []),
        ],
        between: 'any',
      },
      runResults: ['avg.n', 'count', 'first.k', 'first.x', 'max.n', 'min.x', 'sum.n'],
      ...(random.chance(0.7) && { skip: 'past' }),
      ...(random.chance(0.4) && { within_us: random.pick([4, 15]) * second }),
      ...(random.chance(0.4) && {
        closing: {
          kind: 'compare',
          left: { kind: 'attribute', path: random.pick(['x', 'count', 'sum.n']) },
          operator: random.pick(['>', '>=', '<']),
          right: random.pick([{ kind: 'number', text: '3' } as const, { kind: 'attribute', path: 'first.x' } as const]),
        },
      }),
    })
    const [rule] = schema.streams[0]?.rules ?? []
    if (rule?.condition === undefined || rule.condition.terms.length === 0) continue
    const isKeyed = rule.condition.terms.includes(key)
    const between = random.pick<PairCondition['between']>([
      'any',
      'any',
      'none of the stream',
      ...(isKeyed ? (['none of the key'] as const) : []),
    ])
    const compiled = schemaWith({ ...rule, condition: { ...rule.condition, between } })
    const sent = randomEvents(random, ['a'], 60)
    const wanted = expected(compiled, sent)
    rows += wanted.flat().length
    deepStrictEqual(taken(compiled, sent).results, wanted, JSON.stringify(compiled.streams[0]?.rules))
  }
  t.log(`${rows} rows`)
  t.true(rows > 100)
})

test('a run remembers figures and two events at most, however long it is', (t) => {
  const schema = schemaWith({
    ...{ mode: 'run', role: 'active' },
    condition: { terms: [key], between: 'any' },
    runResults: ['avg.x', 'count', 'first.x'],
  })
  const sent = Array.from({ length: 5_000 }, (_, n): Sent => {
    return { stream: 'a', event: { k: 'ann', x: n }, pk: era + n * second, seq: era + n * second }
  })
  const { results, state } = taken(schema, sent)
  const last = results.at(-1)?.[0]?.event
  t.deepEqual([last?.count, last?.first, last?.avg], [5_000, { x: 0 }, { x: 2_499.5 }])
  t.is(state.size(), 3, 'the candidate, its first event, and the newest time')
})

test('the first event of a run that is erased is in no row; the run goes on', (t) => {
  const schema = schemaWith({
    ...{ mode: 'run', role: 'active' },
    condition: { terms: [key], between: 'any' },
    runResults: ['count', 'first.x'],
  })
  const at = (n: number) => era + n * second
  const sent = [1, 2, 3].map((x, n): Sent => ({ stream: 'a', event: { k: 'ann', x }, pk: at(n), seq: at(n) }))
  const { step } = compileStep(schema)
  const state = createMemoryState()
  const shown = sent.map(({ stream, event, pk, seq }, n) => {
    if (n === 2) state.forget(at(0))
    const rows: unknown[] = []
    step(stream, { event, pk: String(pk), seq }, state, {
      row: (_, row) => rows.push([row.count, row.first]),
      match: () => {},
    })
    return rows
  })
  t.deepEqual(shown, [[], [[2, { x: 1 }]], [[3, undefined]]])
})

test('pairs give the rows of a nested loop over both streams', (t) => {
  const random = randomFor(t)
  let rows = 0
  for (let round = 0; round < runs(100, 2000); round++) {
    const condition = { terms: [key, ...(random.chance(0.5) ? [than('<')] : [])], between: 'any' } as const
    const both = {
      ...({ kind: 'join', name: 'pairs', mode: 'all', role: 'both', condition, target: 'made' } as const),
      ...{ inputs: ['k', 'x'], results: ['k', 'x'], distance_us: random.pick([5, 30]) * second },
    }
    const schema = schemaOf('s', [
      inputStream('a', attributes, { rules: [ruleOf({ ...both, partner: 'b' })] }),
      inputStream('b', attributes, { rules: [ruleOf({ ...both, partner: 'a' })] }),
      madeStream('made', attributes),
    ])
    const sent = randomEvents(random, ['a', 'b'], 60)
    // In the order of their times no event is late: then pairs are what a nested loop finds, with nothing else said.
    const inOrder = sent.toSorted((left, right) => left.pk - right.pk).map((each, n) => ({ ...each, seq: each.pk + n }))
    const loop = inOrder.map((mine, index) =>
      inOrder
        .slice(0, index)
        .filter(
          (other) =>
            other.stream !== mine.stream &&
            mine.event.k !== undefined &&
            other.event.k === mine.event.k &&
            mine.pk - other.pk <= both.distance_us &&
            (condition.terms.length === 1 || Number(other.event.x) < Number(mine.event.x)),
        )
        .map((other) => other.pk),
    )
    const { results } = taken(schema, inOrder)
    deepStrictEqual(
      results.map((made) => made.map(({ event }) => event._jpk1)),
      loop,
    )
    const wanted = expected(schema, sent)
    rows += wanted.flat().length
    deepStrictEqual(taken(schema, sent).results, wanted)
  }
  t.true(rows > 100, `${rows} rows`)
})
