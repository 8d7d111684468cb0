import test from 'ava'
import { createAlgorithmActivities } from '../../../../activities/graphs/algorithms/activities.ts'
import { pageRanks } from '../../../../activities/graphs/algorithms/page-rank.ts'
import { overall, progressOf } from '../../../../activities/graphs/algorithms/progress.ts'
import { decodeAlgorithm } from '../../../../activities/graphs/algorithms/request.ts'
import { createClock } from '../../../../infra/clock.ts'
import { until } from '../../../support/until.ts'

const request = { ...decodeAlgorithm({ graph: 'g', algorithm: 'pagerank' }, ''), id: '1' }

test('a run tells each of its steps in turn, and how far its thread is', async (t) => {
  const pulses: { readonly step: string; readonly progress: number }[] = []
  const { scoreNodes } = createAlgorithmActivities({
    clickhouse: { read: async () => Buffer.alloc(0), rows: async () => [] },
    clock: createClock(),
    threads: {
      async run(task) {
        if (task.kind !== 'score') throw new Error('no score')
        Atomics.store(task.done, 0, 500)
        await until('the pulse of its half', () => pulses.some(({ progress }) => progress === 0.5))
        return { scored: { lines: Buffer.from('{}'), summary: {} } }
      },
      close: async () => {},
    },
    writeScores: async () => {},
  })
  await scoreNodes(request, new AbortController().signal, (told) => {
    const { step = '', progress = -1 } = progressOf(told)
    pulses.push({ step, progress })
  })
  t.deepEqual([...new Set(pulses.map(({ step }) => step))], ['waiting', 'reading', 'computing', 'writing'])
  const shares = pulses.map(({ progress }) => progress)
  t.deepEqual(shares, shares.toSorted())
})

test('a rank tells a share of its computing that never falls', (t) => {
  const shares: number[] = []
  const nodes = Array.from({ length: 50 }, (_, number) => ({ label: 'N', name: String(number) }))
  const from = Uint32Array.from(nodes.keys())
  const to = from.map((node) => (node * 7 + 3) % 50)
  const count = new Float64Array(50).fill(1)
  pageRanks({ nodes, from, to, count }, (share) => shares.push(share))
  t.true(shares.every((share) => share >= 0 && share <= 1))
})

test('the share of a whole run is between the beginnings of its steps, and nothing is told by another pulse', (t) => {
  t.deepEqual([overall('waiting', 0), overall('computing', 0.5), overall('writing', 2)], [0, 0.5, 1])
  t.deepEqual(progressOf({ step: 'idling', progress: 1 }), {})
  t.deepEqual(progressOf(undefined), {})
})
