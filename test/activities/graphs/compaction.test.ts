import test from 'ava'
import { pino } from 'pino'
import { createCompaction } from '../../../activities/graphs/compaction.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import type { Rest } from '../../../sql/graph/index.ts'
import { until } from '../../support/until.ts'
import { openGraphs } from './open.ts'

const { clickhouse, graphs, ask, close } = await openGraphs()
test.after.always(close)

const atOnce: Rest = { leastSeconds: 0, rowsASecond: 1e9, mostRows: 1e9 }
const logger = silentLogger()

const parts = async (graph: string): Promise<number[]> => {
  const counted = await clickhouse.rows<{ parts: number }>({
    text: `SELECT toUInt32(count()) AS parts FROM system.parts WHERE database = 'graph' AND active AND startsWith(table, '${graph}_') GROUP BY table ORDER BY table`,
    params: {},
  })
  return counted.map(({ parts }) => parts)
}

/** A graph whose tables have several parts each. */
async function loose(graph: string): Promise<string> {
  await graphs.make(graph)
  for (const table of [`${graph}_rel`, `${graph}__properties`])
    await clickhouse.run(`SYSTEM STOP MERGES graph.${table}`)
  for (let i = 0; i < 4; i++) await ask(graph, `CREATE (P:a {"n":${i}})-[R {"i":${i}}]->(P:b${i})`)
  for (const table of [`${graph}_rel`, `${graph}__properties`])
    await clickhouse.run(`SYSTEM START MERGES graph.${table}`)
  return graph
}

const answers = (graph: string) =>
  Promise.all(
    ['s=>(*)-[*]->(*); RETURN *', 's=>(P:*)', 's=>(*)<-[R]-(P:a); RETURN COUNT(*) AS n'].map((text) =>
      ask(graph, text),
    ),
  )

test.serial('the tables of a graph at rest become one part each, and answer as before', async (t) => {
  const graph = await loose('rests')
  t.true((await parts(graph)).every((count) => count > 1))
  const before = await answers(graph)
  await createCompaction({ clickhouse, isEmbedded: true, logger, rest: atOnce }).compactAll()
  t.deepEqual(await parts(graph), [1, 1])
  t.deepEqual(await answers(graph), before)
})

test.serial('what was written a moment ago, takes long to merge, or is too large stays as it is', async (t) => {
  const graph = await loose('moves')
  const before = await parts(graph)
  for (const rest of [{ leastSeconds: 3_600 }, { rowsASecond: 0.001 }, { mostRows: 3 }])
    await createCompaction({ clickhouse, isEmbedded: true, logger, rest: { ...atOnce, ...rest } }).compactAll()
  t.deepEqual(await parts(graph), before)
})

/** A ClickHouse with one table at rest, whose merge lasts until merges are stopped. */
function slowClickHouse() {
  const said: string[] = []
  let abort = (): void => {}
  const fake: ClickHouse = {
    ...clickhouse,
    rows: async <Row>() => [{ table: 'g_rel' }, { table: 'h_rel' }] as Row[],
    async run(statement) {
      const text = String(statement)
      said.push(text)
      if (text.startsWith('OPTIMIZE'))
        await new Promise<void>((_, reject) => {
          abort = () => reject(new Error('aborted'))
        })
      if (text.startsWith('SYSTEM STOP')) abort()
    },
  }
  return { fake, said, abort: () => abort() }
}

const merge = 'OPTIMIZE TABLE `graph`.`g_rel` FINAL'
const gaveWay = ['SYSTEM STOP MERGES `graph`.`g_rel`', 'SYSTEM START MERGES `graph`.`g_rel`']

test('work that a merge would keep waiting is done at once, and nothing is merged meanwhile', async (t) => {
  const { fake, said } = slowClickHouse()
  const compaction = createCompaction({ clickhouse: fake, isEmbedded: true, logger })
  const compacted = compaction.compactAll()
  await until('it merges', () => said.includes(merge))
  await compaction.without(async () => {
    said.push('work')
    await compacted
    await compaction.compactAll()
  })
  t.deepEqual(said, [merge, ...gaveWay, 'work'])
})

test('whoever closes does not wait for a merge', async (t) => {
  const { fake, said } = slowClickHouse()
  const compaction = createCompaction({ clickhouse: fake, isEmbedded: true, logger })
  const compacted = compaction.compactAll()
  await until('it merges', () => said.includes(merge))
  await compaction.close()
  await compacted
  t.deepEqual(said, [merge, ...gaveWay])
})

test('merges of a server that others share are never stopped: a crash would leave them so', async (t) => {
  const { fake, said, abort } = slowClickHouse()
  const compaction = createCompaction({ clickhouse: fake, isEmbedded: false, logger })
  const compacted = compaction.compactAll()
  await until('it merges', () => said.includes(merge))
  await compaction.without(async () => {
    said.push('work')
  })
  await compaction.close()
  t.deepEqual(said, [merge, 'work'])
  abort()
  await compacted
})

test('a merge that fails is told of, and tried again', async (t) => {
  const said: string[] = []
  let merges = 0
  const failing: ClickHouse = {
    ...clickhouse,
    rows: async <Row>() => [{ table: 'g_rel' }] as Row[],
    run: async () => {
      if (merges++ === 0) throw new Error('the disk is full')
    },
  }
  const compaction = createCompaction({
    clickhouse: failing,
    isEmbedded: true,
    logger: pino({ base: null }, { write: (line: string) => said.push(JSON.parse(line).err.message) }),
    pauses: { look_ms: 1, failed_ms: 2 },
  })
  compaction.start()
  await until('it is tried again', () => merges > 2)
  await compaction.close()
  t.deepEqual(said, ['the disk is full'])
})
