import test from 'ava'
import { createDormant } from '../../../../../infra/log/kafka/consume/dormant.ts'
import type { Offsets } from '../../../../../infra/log/kafka/topics.ts'
import { silentLogger } from '../../../../../infra/logger.ts'
import { until } from '../../../../support/until.ts'

type Places = Record<string, { ends?: Offsets; committed?: Offsets; last?: Offsets }>

/** Topics at these places, and how often they were asked for. */
function topicsAt(places: Places) {
  const asked = { ends: 0, committed: 0 }
  return {
    asked,
    async endsOf(queues: readonly string[]) {
      asked.ends++
      return new Map(queues.flatMap((queue) => (places[queue]?.ends ? [[queue, places[queue].ends] as const] : [])))
    },
    async committedOf(groups: readonly { readonly queue: string }[]) {
      asked.committed++
      return new Map(groups.map(({ queue }) => [queue, places[queue]?.committed ?? new Map<number, number>()]))
    },
    lastData: async (queue: string) => places[queue]?.last ?? new Map<number, number>(),
  }
}

const groups = { groupOf: (queue: string) => (queue === 's.groupless' ? undefined : `of ${queue}`) }
const of = (...offsets: number[]): Offsets => new Map(offsets.map((offset, partition) => [partition, offset]))

test('queues whose groups have committed all are dormant, found by one question about all; the others are not', async (t) => {
  const places: Places = {
    's.taken': { ends: of(7, 0), committed: new Map([[0, 7]]) },
    's.empty': { ends: of(0, 0) },
    's.behind': { ends: of(7, 2), committed: of(7, 1) },
    's.unknown': { ends: of(7) },
    's.gone': { committed: of(7) },
    's.groupless': { ends: of(7), committed: of(7) },
    's.made': { ends: of(9), committed: of(8), last: of(7) },
    's.madeBehind': { ends: of(9), committed: of(7), last: of(7) },
    's.withMarker': { ends: of(9), committed: of(8), last: of(7) },
  }
  const topics = topicsAt(places)
  const dormant = createDormant({ topics, logger: silentLogger() })
  t.teardown(dormant.close)
  const queues = Object.keys(places)
  const decide = () =>
    dormant.decide(
      () => queues,
      groups,
      (queue) => queue.startsWith('s.made'),
    )
  await Promise.all([decide(), decide(), decide()])
  t.deepEqual(queues.filter(dormant.has), ['s.taken', 's.empty', 's.made'])
  t.deepEqual(topics.asked, { ends: 1, committed: 1 })
})

test('a queue is woken once, by what is told of it or by a topic that has grown, and not once it is at an end', async (t) => {
  const places: Places = Object.fromEntries(
    ['s.told', 's.grown', 's.deleted', 's.still'].map((queue) => [queue, { ends: of(1), committed: of(1) }]),
  )
  const dormant = createDormant({ topics: topicsAt(places), logger: silentLogger() }, 10)
  t.teardown(dormant.close)
  const woken: string[] = []
  dormant.onWake((queue) => woken.push(queue))
  await dormant.decide(
    () => Object.keys(places),
    groups,
    () => false,
  )
  dormant.wake('s.told')
  dormant.wake('s.told')
  dormant.end('s.deleted')
  places['s.grown'] = { ends: of(2), committed: of(1) }
  places['s.deleted'] = { ends: of(2), committed: of(1) }
  await until('the topic that has grown', () => woken.includes('s.grown'), 10_000)
  t.deepEqual(woken, ['s.told', 's.grown'])
  t.deepEqual(Object.keys(places).filter(dormant.has), ['s.still'])
})

test('a Kafka that does not answer decides nothing: it is asked again', async (t) => {
  let isAway = true
  const topics = topicsAt({ 's.a': { ends: of(1), committed: of(1) } })
  const endsOf = (queues: readonly string[]) => (isAway ? Promise.reject(new Error('away')) : topics.endsOf(queues))
  const dormant = createDormant({ topics: { ...topics, endsOf }, logger: silentLogger() })
  t.teardown(dormant.close)
  const decide = () =>
    dormant.decide(
      () => ['s.a'],
      groups,
      () => false,
    )
  await t.throwsAsync(decide(), { message: 'away' })
  t.false(dormant.areDecided(['s.a']))
  isAway = false
  await decide()
  t.true(dormant.has('s.a'))
})
