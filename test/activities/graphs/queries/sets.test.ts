/** Joins of few rows with a large product: it is counted before it is built, and built elsewhere than on the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import test from 'ava'
import { combined, type SetHead, type SetLines } from '../../../../activities/graphs/queries/sets.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { nodeInput, nodeLines } from '../../../../sql/graph/index.ts'
import { openGraphs } from '../open.ts'

const { clickhouse, graphs, ask, threads, close } = await openGraphs()
test.after.always(close)

const lines = (count: number, row: (index: number) => object): SetLines => ({
  lines: Buffer.from(Array.from({ length: count }, (_, index) => `${JSON.stringify(row(index))}\n`).join('')),
  names: Object.keys(row(0)),
})
const head = (set: SetHead['set'], more: Partial<SetHead> = {}): SetHead => ({
  set,
  column: { name: 'k', at: { offset: 0, line: 1, column: 1 } },
  ...more,
})

const one = lines(2_000, (index) => ({ k: index % 2, a: index }))
const other = lines(2_000, (index) => ({ k: index % 2, b: index }))

test('a join beyond the limit of rows is refused with its size, before a row of it is made', (t) => {
  for (const set of ['JOIN', 'LEFT_JOIN', 'RIGHT_JOIN'] as const) {
    const began = performance.now()
    t.throws(() => void combined(head(set), [one, other]), {
      instanceOf: Refusal,
      message: 'the set has 2000000 rows, and 1000000 are the limit; narrow its queries',
    })
    t.true(performance.now() - began < 1_000, set)
  }
})

test('a join in a chain counts as that at the end', (t) => {
  const few = lines(1, () => ({ k: 7, c: 1 }))
  t.throws(() => void combined(head('JOIN'), [one, other, few]), { message: /^the set has 2000000 rows/ })
})

test('of a join of any size the first rows come, where LIMIT asks for no more', (t) => {
  const rows = combined(head('JOIN', { limit: 2 }), [one, other])
  t.deepEqual(rows, ['{"k":0,"b":0,"a":0}', '{"k":0,"b":2,"a":0}'])
})

test('an answer whose text is too long is refused, whatever its rows are', (t) => {
  const long = lines(600, (index) => ({ k: 1, [`a${index}`]: 'x'.repeat(100) }))
  const wide = lines(600, () => ({ k: 1, b: 'y'.repeat(150) }))
  t.throws(() => void combined(head('JOIN'), [long, wide]), { message: /^the answer exceeds 64 MB/ })
})

test('a join of two small answers with many rows is made in a thread, and others are answered meanwhile', async (t) => {
  await graphs.make('joined')
  const nodes = Array.from({ length: 700 }, (_, index) =>
    nodeLines({ label: 'P', name: `name-${index}`, properties: [['city', '"Rome"']] }, index + 1),
  )
  await clickhouse.insert({ table: nodeInput('joined'), rows: Buffer.from(nodes.join('')) })
  const kinds: string[] = []
  const { run } = threads
  threads.run = (task, signal) => {
    kinds.push(task.kind)
    return run(task, signal)
  }
  const text = '<JOIN USING city> s=>(@p P:*); RETURN p.city, p.name ++ t=>(@q P:*); RETURN q.city, q.name AS other'
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const answer = await graphs.answer({ graph: 'joined', text })
  delay.disable()
  t.is(JSON.parse(answer).num_items, 490_000)
  t.deepEqual(kinds, ['set'])
  t.true(delay.max / 1e6 < 500, `the event loop stood still for ${delay.max / 1e6} ms`)
  const first = await ask('joined', text.replace('city>', 'city LIMIT 3>'))
  t.is(first.num_items, 3)
})
