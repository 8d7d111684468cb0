import { deepStrictEqual } from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import type { Made } from '../../../../activities/rules/rule-event.ts'
import { compileStep } from '../../../../activities/rules/step/compile.ts'
import type { Event, Json } from '../../../../base/json.ts'
import type { Operator } from '../../../../sql/query/ast.ts'
import type {
  MovingFilter,
  MovingValue,
  PairCondition,
  PairTerm,
  Rule,
  RuleCondition,
  Schema,
} from '../../../../sql/schema/schema.ts'
import { runs, seed } from '../../../support/random/seed.ts'
import { createOracle, type Result, type Sent } from '../oracle.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, madeStream, ruleOf, schemaOf } from './schemas.ts'

const era = 1_790_000_000_000_000
const second = 1_000_000

const attributes = [
  attribute('k', 'LONG', { statistics: { kinds: ['RSTAT'] } }),
  attribute('x', 'DOUBLE', { statistics: { kinds: ['RSTAT'] } }),
  attribute('y', 'DOUBLE'),
  attribute('s', 'STRING', { statistics: { kinds: ['COUNT'] } }),
  attribute('o', 'OBJECT'),
  attribute('o.n', 'LONG'),
]
const numbers = ['k', 'x', 'o.n']

const operator = fc.constantFrom<Operator>('=', '!=', '<', '<=', '>', '>=')
const text = fc.constantFrom('', 'a', 'b|', '\\', '\u{1f388}', '\uffff')
const number = fc.constantFrom<Json>(-1, 0, 1, 2, 2.5, 3)
/** No statistic of the numbers is equal to one of these, so none depends on how it is rounded. */
const bounds = [0.513, 1.217, 3.711]
const whole = fc.constantFrom<Json>(0, 1, 2, 2, 3, 2n ** 53n + 1n)

const literalOf = (value: Json) =>
  typeof value === 'string' ? ({ kind: 'string', value } as const) : ({ kind: 'number', text: String(value) } as const)

const moving: fc.Arbitrary<MovingValue> = fc
  .record({
    statistic: fc.constantFrom<MovingValue['statistic']>('AVG', 'SUM', 'STD', 'MIN', 'MAX', 'COUNT'),
    stream: fc.constantFrom('a', 'b'),
    length_us: fc.constantFrom(20 * second, 60 * second, 300 * second),
    margin: fc.option(
      fc.record({ kind: fc.constantFrom('percent', 'amount'), value: fc.constantFrom(-10, 0.5, 50) } as const),
      { nil: undefined },
    ),
  })
  .map(({ margin, ...value }) => ({
    ...value,
    kind: 'moving',
    attribute: value.statistic === 'COUNT' ? 's' : 'x',
    granularity: 60,
    ...(margin && { margin }),
  }))

const compare: fc.Arbitrary<RuleCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('compare'),
    left: fc.constantFrom(...numbers).map((path) => ({ kind: 'attribute', path }) as const),
    operator,
    right: fc.oneof(
      fc.constantFrom(0, 1, 2, 2.5).map(literalOf),
      fc.constantFrom(...numbers).map((path) => ({ kind: 'attribute', path }) as const),
    ),
  } as const),
  fc.record({
    kind: fc.constant('compare'),
    left: fc.constant({ kind: 'attribute', path: 's' } as const),
    operator,
    right: text.map(literalOf),
  } as const),
)
const compareMoving: fc.Arbitrary<RuleCondition> = fc.record({
  kind: fc.constant('compare'),
  left: moving,
  operator: fc.constantFrom<Operator>('<', '>'),
  right: fc.oneof(fc.constantFrom(...bounds).map(literalOf), fc.constant({ kind: 'attribute', path: 'y' } as const)),
} as const)
const anyCompare = fc.oneof({ arbitrary: compare, weight: 3 }, { arbitrary: compareMoving, weight: 1 })

const condition: fc.Arbitrary<RuleCondition> = fc.oneof(
  anyCompare,
  fc.record({
    kind: fc.constantFrom('and', 'or'),
    terms: fc.array(anyCompare, { minLength: 2, maxLength: 3 }),
  } as const),
)

const term: fc.Arbitrary<PairTerm> = fc.oneof(
  fc.record({
    other: fc.constantFrom(...numbers),
    operator,
    value: fc.oneof(
      fc.constantFrom(...numbers).map((name) => ({ kind: 'attribute', name }) as const),
      fc.constantFrom(0, 1, 2).map((value) => ({ kind: 'fixed', value }) as const),
      fc.constantFrom('$k + 1', '$x + 0').map((expression) => ({ kind: 'expression', text: expression }) as const),
    ),
  }),
  fc.record({
    other: fc.constant('s'),
    operator,
    value: fc.oneof(
      fc.constant({ kind: 'attribute', name: 's' } as const),
      text.map((value) => ({ kind: 'fixed', value }) as const),
    ),
  }),
)
const key = (name: string): PairTerm => ({ other: name, operator: '=', value: { kind: 'attribute', name } })

const pairCondition = fc
  .record({
    keys: fc.oneof(fc.constant<string[]>(['k']), fc.subarray<string>(['k', 'x', 's'], { maxLength: 2 })),
    more: fc.oneof(fc.constant([]), fc.array(term, { maxLength: 2 })),
    between: fc.constantFrom<PairCondition['between']>('any', 'any', 'none of the stream', 'none of the key'),
  })
  .map(({ keys, more, between }) => ({ terms: [...keys.map(key), ...more], between }))
  .filter(({ terms }) => terms.length > 0)

const runPaths = ['avg.x', 'count', 'first._pk', 'first.o', 'first.s', 'first.x', 'max.o.n', 'min.k', 'sum.x']
const compareRun: fc.Arbitrary<RuleCondition> = fc.record({
  kind: fc.constant('compare'),
  left: fc.constantFrom('count', 'first.x', 'max.o.n', 'sum.x').map((path) => ({ kind: 'attribute', path }) as const),
  operator,
  right: fc.oneof(
    fc.constantFrom(1, 2, 3).map(literalOf),
    fc.constantFrom('x', 'min.k').map((path) => ({ kind: 'attribute', path }) as const),
  ),
} as const)

const names = fc.subarray(['k', 'x', 's', 'o.n'])
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const definition = fc.record({
  kind: fc.constantFrom<Rule['kind']>('join', 'pattern'),
  mode: fc.constantFrom<Rule['mode']>('single', 'run', 'pair', 'latest', 'matching', 'all'),
  isTurned: fc.boolean(),
  isAlone: fc.boolean(),
  conditions: fc.tuple(pairCondition, pairCondition),
  isMirrored: fc.boolean(),
  filters: fc.tuple(some(condition), some(condition)),
  closing: some(condition),
  runResults: fc.oneof(fc.constant([]), fc.subarray(runPaths)),
  runClosing: some(compareRun),
  isSkipped: fc.boolean(),
  distance_us: fc.constantFrom(5, 30, 1000).map((seconds) => seconds * second),
  within_us: some(fc.constantFrom(3, 20).map((seconds) => seconds * second)),
  count: fc.constantFrom(1, 1, 2, 3),
  inputs: names,
  results: names,
  notification: some(fc.constantFrom(3, 4)),
  absences: fc.tuple(...[0, 1].map(() => some(fc.constantFrom(2, 30, 400)))),
})
type Definition = typeof definition extends fc.Arbitrary<infer Value> ? Value : never

/** The rule as stream a declares it, and as b does where it has a part in it. */
function rulesOf(chosen: Definition, index: number): readonly [Rule, Rule | undefined] {
  const { mode, conditions, filters, within_us, notification, inputs, results, runResults } = chosen
  const closing = mode === 'run' ? (chosen.runClosing ?? chosen.closing) : chosen.closing
  const kind = mode === 'single' || mode === 'run' ? 'pattern' : mode === 'all' ? 'join' : chosen.kind
  const count = kind === 'join' ? 1 : chosen.count
  const name = `r${index}`
  const roles: readonly [Rule['role'], Rule['role']] =
    mode === 'latest' || mode === 'matching'
      ? chosen.isTurned
        ? ['active', 'passive']
        : ['passive', 'active']
      : ['both', 'both']
  const conditionOf = (side: 0 | 1): PairCondition => {
    const { terms, between } = conditions[chosen.isMirrored ? 0 : side]
    if (mode !== 'run') {
      // Rows are counted by the keys on which both sides agree.
      const mine = mode === 'pair' && count > 1 ? [key('k'), ...terms.filter((each) => each.operator !== '=')] : terms
      return { terms: mine, between: 'any' }
    }
    return between === 'none of the key' ? { terms: [key('k'), ...terms], between } : { terms, between }
  }
  const side = (which: 0 | 1): Rule =>
    ruleOf({
      kind,
      name,
      mode,
      role: roles[which],
      ...(mode === 'single'
        ? {}
        : { partner: mode === 'run' ? 'a' : which === 0 ? 'b' : 'a', condition: conditionOf(which) }),
      distance_us: chosen.distance_us,
      inputs: which === 0 ? inputs : results,
      results: which === 0 ? results : inputs,
      count,
      target: 'made',
      ...(mode === 'run' && runResults.length > 0 && { runResults }),
      ...(mode === 'run' && chosen.isSkipped && { skip: 'past' }),
      ...(filters[which] && { filter: filters[which] }),
      ...(closing && kind === 'pattern' && { closing }),
      ...(within_us && kind === 'pattern' && { within_us }),
      ...(notification !== undefined && { notification }),
      ...(chosen.absences[which] !== undefined &&
        mode !== 'single' && {
          absent: { after_us: chosen.absences[which] * second, target: 'alone', notification: 5 },
        }),
    })
  const isOfOne = mode === 'single' || mode === 'run' || (mode === 'pair' && kind === 'pattern' && chosen.isAlone)
  return [side(0), isOfOne ? undefined : side(1)]
}

const schema = fc
  .record({
    definitions: fc.array(definition, { minLength: 1, maxLength: 3 }),
    movingFilters: fc.array(fc.record({ condition: compareMoving, attributes: names }), { maxLength: 1 }),
  })
  .map(({ definitions, movingFilters }): Schema => {
    const rules = definitions.map(rulesOf)
    const filters = movingFilters.map(
      (filter, index): MovingFilter => ({ ...filter, name: `f${index}`, computed: [], target: 'copies' }),
    )
    return schemaOf('s', [
      inputStream('a', attributes, { rules: rules.map(([rule]) => rule), movingFilters: filters }),
      inputStream('b', attributes, { rules: rules.flatMap(([, rule]) => rule ?? []) }),
      madeStream('made', attributes),
      madeStream('copies', attributes),
      madeStream('alone', attributes),
    ])
  })

const events = fc
  .array(
    fc.record({
      stream: fc.constantFrom('a', 'b', 'a'),
      event: fc.record(
        {
          k: fc.oneof(fc.constantFrom<Json>(1, 1, 2), whole),
          x: number,
          y: fc.constantFrom<Json>(...bounds),
          s: text,
          o: fc.record({ n: whole }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<Event>,
      /** Seconds since the event before: some come late, some at the same time. */
      step: fc.oneof(
        { arbitrary: fc.constantFrom(0, 1, 2), weight: 6 },
        { arbitrary: fc.constantFrom(7, 40, 61, -1, -8, -35), weight: 1 },
      ),
      /** Seconds from its time to its arrival: the clocks of some devices are ahead. */
      delay: fc.oneof(
        { arbitrary: fc.constantFrom(0, 0, 1), weight: 6 },
        { arbitrary: fc.constantFrom(-3, -40, -2_000, 20), weight: 1 },
      ),
      /** Seconds in which nothing comes. */
      pause: fc.oneof({ arbitrary: fc.constant(0), weight: 30 }, { arbitrary: fc.constantFrom(500, 1_300), weight: 1 }),
    }),
    { minLength: 2, maxLength: 60, size: 'max' },
  )
  .map((steps) => {
    let time = era
    let came = era
    return steps.map(({ stream, event, step, delay, pause }): Sent => {
      time += step * second
      // An event is at most as late as the pauses say; without one it comes when it was.
      came = Math.max(came + 10 + pause * second, time + Math.max(0, delay) * second)
      return { stream, event, pk: time - Math.min(0, delay) * second, seq: came }
    })
  })

const gathering = (results: Result[]): Made => ({
  row: (to, row, time) => results.push({ to, event: row, pk: Number(time) }),
  match: (to, shown, time) => results.push({ to, event: shown, pk: Number(time) }),
})

/** The rows of each event, and those of events that met none: turns of no event come now and then, at the latest at `end`. */
function resultsOf(compiled: Schema, sent: readonly Sent[], end: number, isTurn: (place: number) => boolean) {
  const { step, due } = compileStep(compiled)
  const state = createMemoryState({ isPacked: true })
  const alone: Result[] = []
  function endWaits(most: number): void {
    for (;;) {
      const dues = due(state, state.waits, () => true, most)
      for (const each of dues) each.settle(state, gathering(alone))
      if (dues.length < most) return
    }
  }
  const results = sent.map(({ stream, event, pk, seq }, place) => {
    const results: Result[] = []
    state.at(seq)
    step(stream, { event, pk: String(pk), seq }, state, gathering(results))
    if (isTurn(place)) endWaits(2)
    return results
  })
  state.at(end)
  endWaits(1_000)
  return { results, alone }
}

const inOneOrder = (results: readonly Result[]): string[] => results.map((each) => JSON.stringify(each, bigints)).sort()
const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

test('steps with a memory give what a walk over all earlier events gives', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  let [rows, missed] = [0, 0]
  fc.assert(
    fc.property(schema, events, fc.array(fc.boolean()), fc.constantFrom(0, 1, 31, 402, 3_000), (...given) => {
      const [compiled, sent, turns, silence] = given
      const oracle = createOracle(compiled)
      const expected = sent.map((each) => oracle.step(each))
      rows += expected.flat().length
      const end = (sent.at(-1)?.seq ?? era) + silence * second
      const { results, alone } = resultsOf(compiled, sent, end, (place) => turns[place] ?? false)
      deepStrictEqual(results, expected)
      const absences = oracle.absences(end)
      missed += absences.length
      deepStrictEqual(inOneOrder(alone), inOneOrder(absences))
    }),
    { numRuns: runs(600, 20_000) },
  )
  t.log(`${rows} rows and matches, ${missed} of events that met none`)
  t.true(rows > 0 && missed > 0)
})
