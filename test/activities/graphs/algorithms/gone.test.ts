import test from 'ava'
import { createAlgorithmActivities } from '../../../../activities/graphs/algorithms/activities.ts'
import { decodeAlgorithm } from '../../../../activities/graphs/algorithms/request.ts'
import { openGraphThreads } from '../../../../activities/graphs/threads/open-graph-threads.ts'
import { createClock } from '../../../../infra/clock.ts'
import { openGraphs } from '../open.ts'

test('what was computed over a graph that has gone is not written into the next one of its name', async (t) => {
  const { clickhouse, graphs, ask, close } = await openGraphs()
  const threads = openGraphThreads(1)
  t.teardown(async () => {
    await threads.close()
    await close()
  })
  await graphs.make('g')
  await ask('g', 'CREATE (P:a)-[R]->(P:b)')
  const id = await graphs.id('g')
  if (id === undefined) throw new Error('there is no graph g')
  const request = { ...decodeAlgorithm({ graph: 'g', algorithm: 'degree' }, ''), id }
  let between = async () => {}
  const activities = createAlgorithmActivities({
    clickhouse,
    clock: createClock(),
    threads: {
      ...threads,
      async run(...task: Parameters<typeof threads.run>) {
        const answer = await threads.run(...task)
        await between()
        return answer
      },
    },
    writeScores: graphs.writeScores,
  })
  const degrees = async () => (await ask('g', 's=>(@p P:*); RETURN p.name, p.degree SORT_ASC name')).rows

  await activities.scoreNodes(request, new AbortController().signal)
  t.deepEqual(await degrees(), [
    { name: 'a', degree: 1 },
    { name: 'b', degree: 1 },
  ])
  between = async () => {
    await graphs.drop('g')
    await graphs.make('g')
    await ask('g', 'CREATE (P:a)')
  }
  await t.throwsAsync(activities.scoreNodes(request, new AbortController().signal), { message: /no graph "g"/ })
  t.deepEqual(await degrees(), [{ name: 'a' }])
  t.not(await graphs.id('g'), id)
})
