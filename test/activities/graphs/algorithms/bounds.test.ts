import test from 'ava'
import { createAlgorithmActivities } from '../../../../activities/graphs/algorithms/activities.ts'
import { decodeAlgorithm } from '../../../../activities/graphs/algorithms/request.ts'
import { openGraphThreads } from '../../../../activities/graphs/threads/open-graph-threads.ts'
import { createClock } from '../../../../infra/clock.ts'
import { openGraphs } from '../open.ts'

test('a part of a graph beyond the bounds is refused, and narrowed it is not', async (t) => {
  const { clickhouse, graphs, ask, close } = await openGraphs()
  const threads = openGraphThreads(1)
  t.teardown(async () => {
    await threads.close()
    await close()
  })
  await graphs.make('g')
  await ask('g', 'CREATE (P:a)-[R]->(P:b)-[S]->(Q:c)')
  await ask('g', 'CREATE (P:a)-[R]->(P:b)')
  const { writeScores } = graphs
  const measure = (nodes: number, pairs: number, body: object = {}) =>
    createAlgorithmActivities({
      clickhouse,
      clock: createClock(),
      threads,
      writeScores,
      max: { nodes, pairs },
    }).measurePart(decodeAlgorithm({ graph: 'g', algorithm: 'degree' }, JSON.stringify(body)))
  t.deepEqual(await measure(3, 2), { nodes: 3, pairs: 2 })
  const error = await t.throwsAsync(measure(2, 2))
  t.like(error, { kind: 'invalid' })
  t.regex(error?.message ?? '', /at most 2 nodes and 2 pairs of related nodes/)
  await t.throwsAsync(measure(3, 1))
  t.deepEqual(await measure(3, 1, { relations: 'R' }), { nodes: 3, pairs: 1 })
  t.deepEqual(await measure(2, 1, { labels: ['P'] }), { nodes: 2, pairs: 1 })
  await t.throwsAsync(
    createAlgorithmActivities({ clickhouse, clock: createClock(), threads, writeScores }).measurePart(
      decodeAlgorithm({ graph: 'nowhere', algorithm: 'degree' }, ''),
    ),
    { message: /no graph "nowhere"/ },
  )
})
