import test from 'ava'
import { pino } from 'pino'
import { type CompactionDeps, createCompaction } from '../../../activities/graphs/compaction.ts'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import type { Rest } from '../../../sql/graph/index.ts'
import { until } from '../../support/until.ts'
import { openGraphs } from './open.ts'

const { clickhouse, graphs, ask, create, close } = await openGraphs()
test.after.always(close)

const atOnce: Rest = { minSeconds: 0, bytesASecond: 1e12, maxBytes: 1e12 }
const quiet = silentLogger()
const compactionOf = (part: ClickHouse, more: Partial<CompactionDeps> = {}) =>
  createCompaction({ clickhouse: part, isEmbedded: true, logger: quiet, rest: atOnce, ...more })

const numbers = async (text: string): Promise<number[]> =>
  (await clickhouse.rows<{ n: number }>({ text: `SELECT toUInt32(${text}`, params: {} })).map(({ n }) => n)
const parts = (graph: string): Promise<number[]> =>
  numbers(
    `count()) AS n FROM system.parts WHERE database = 'graph' AND active AND startsWith(table, '${graph}_') GROUP BY table`,
  )

/** A graph whose tables have several parts each, which ClickHouse leaves so until it is told to merge them. */
async function loose(graph: string): Promise<string> {
  await graphs.make(graph)
  for (const table of [`${graph}_rel`, `${graph}__properties`])
    await clickhouse.run(`ALTER TABLE graph.${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`)
  for (let i = 0; i < 4; i++) await ask(graph, `CREATE (P:a {"n":${i}})-[R {"i":${i}}]->(P:b${i})`)
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
  t.deepEqual(await parts(graph), [4, 4])
  const before = await answers(graph)
  await compactionOf(clickhouse).compactAll()
  t.deepEqual(await parts(graph), [1, 1])
  t.deepEqual(await answers(graph), before)
})

test.serial('what was written a moment ago, takes long to merge, or is too large stays as it is', async (t) => {
  const graph = await loose('moves')
  for (const rest of [{ minSeconds: 3_600 }, { bytesASecond: 0.001 }, { maxBytes: 3 }])
    await compactionOf(clickhouse, { rest: { ...atOnce, ...rest } }).compactAll()
  t.deepEqual(await parts(graph), [4, 4])
})

/** Adds a part of `count` relations to a graph. */
const addRelations = (graph: string, count: number): Promise<void> =>
  clickhouse.run(
    `INSERT INTO graph.${graph}_rel (subject_label, subject, relation, object_label, object, properties, _at, _seq, _source) SELECT 'P', concat('s', toString(number % 9999)), 'R', 'P', toString(number), '{"a":1}', number, number, '' FROM numbers(${count})`,
  )
const isMerging = async (table: string): Promise<boolean> =>
  (await numbers(`count()) AS n FROM system.merges WHERE database = 'graph' AND table = '${table}'`))[0] !== 0

test.serial('a deletion breaks off the merge that it would wait for, which comes again', async (t) => {
  const graph = await loose('large')
  for (let i = 0; i < 3; i++) await addRelations(graph, 200_000)
  await ask(graph, 'CREATE (P:s5)')
  const compaction = compactionOf(clickhouse)
  const changing = create({ unhindered: compaction.without })
  const compacted = compaction.compactAll()
  await until('it merges', () => isMerging(`${graph}_rel`))
  await changing.answer({ graph, text: 'DELETE (P:s5)' })
  await compacted
  t.true((await parts(graph)).some((count) => count > 1))
  await compaction.compactAll()
  t.deepEqual(await parts(graph), [1, 1])
  t.is((await ask(graph, 's=>(*)-[*]->(*); RETURN COUNT(*) AS n')).rows[0].n, 4 + 3 * (200_000 - 21))
})

test.serial('of two processes that find the same tables at rest one merges them', async (t) => {
  const graph = await loose('twice')
  const names = () =>
    clickhouse.rows({
      text: `SELECT name FROM system.parts WHERE database = 'graph' AND active AND startsWith(table, '${graph}_')`,
      params: {},
    })
  let merged: unknown
  // The second comes to its statement when the first has merged.
  const late: ClickHouse = {
    ...clickhouse,
    run: async (statement) => {
      await compactionOf(clickhouse).compactAll()
      merged = await names()
      await clickhouse.run(statement)
    },
  }
  await compactionOf(late).compactAll()
  t.deepEqual(await parts(graph), [1, 1])
  t.deepEqual(await names(), merged)
})

test.serial('a graph that is dropped amid its merge keeps no other from being merged', async (t) => {
  const [gone, other] = [await loose('gone'), await loose('other')]
  for (let i = 0; i < 3; i++) await addRelations(gone, 200_000)
  await addRelations(other, 800_000)
  const compacted = compactionOf(clickhouse).compactAll()
  await until('it merges', () => isMerging(`${gone}_rel`))
  await graphs.drop(gone)
  await compacted
  t.deepEqual(await parts(other), [1, 1])
})

test.serial('a table that is being changed is not at rest', async (t) => {
  const graph = await loose('changes')
  const asked: string[] = []
  const spied: ClickHouse = {
    ...clickhouse,
    run: async (statement) => {
      asked.push(String(statement).replace(/ FINAL .*/, ''))
    },
  }
  await clickhouse.run(`SYSTEM STOP MERGES graph.${graph}_rel`)
  await clickhouse.run(`ALTER TABLE graph.${graph}_rel DELETE WHERE subject = 'x' SETTINGS mutations_sync = 0`)
  await compactionOf(spied).compactAll()
  await clickhouse.run(`SYSTEM START MERGES graph.${graph}_rel`)
  t.true(asked.includes(`OPTIMIZE TABLE \`graph\`.\`${graph}__properties\``))
  t.false(asked.includes(`OPTIMIZE TABLE \`graph\`.\`${graph}_rel\``))
})

/** A ClickHouse with two tables at rest, whose merges last until merges are stopped. */
function slowClickHouse() {
  const said: string[] = []
  let refused = ''
  const aborts = new Map<string, () => void>()
  const tableIn = (text: string): string => /`graph`.`(\w+)`/.exec(text)?.[1] ?? ''
  const fake: ClickHouse = {
    ...clickhouse,
    rows: async <Row>() => [{ table: 'g_rel' }, { table: 'h_rel' }] as Row[],
    async run(statement) {
      const text = String(statement)
      if (refused !== '' && text.startsWith(refused)) throw new Error(`no ${refused}`)
      said.push(text.replace(/ SETTINGS .*/, ''))
      if (text.startsWith('OPTIMIZE'))
        await new Promise<void>((_, reject) => {
          aborts.set(tableIn(text), () => reject(new ClickHouseError(236, 'aborted')))
        })
      if (text.startsWith('SYSTEM STOP')) aborts.get(tableIn(text))?.()
    },
  }
  return {
    fake,
    said,
    abort: (table: string) => aborts.get(table)?.(),
    refuse: (start: string) => {
      refused = start
    },
  }
}

const merge = (table: string) => `OPTIMIZE TABLE \`graph\`.\`${table}\` FINAL`
const stop = (table: string) => `SYSTEM STOP MERGES \`graph\`.\`${table}\``
const allow = (table: string) => `SYSTEM START MERGES \`graph\`.\`${table}\``

/** A compaction amid its merge of the first of these tables. */
async function amidMerge(more: Partial<CompactionDeps> = {}) {
  const slow = slowClickHouse()
  const compaction = compactionOf(slow.fake, more)
  const compacted = compaction.compactAll()
  await until('it merges', () => slow.said.includes(merge('g_rel')))
  return { ...slow, compaction, compacted }
}

test('work on a graph is done at once, and nothing of that graph is merged meanwhile', async (t) => {
  const { compaction, compacted, said, abort } = await amidMerge()
  await compaction.without('g', async () => {
    said.push('work')
    await until('it merges the other', () => said.includes(merge('h_rel')))
  })
  abort('h_rel')
  await compacted
  t.deepEqual([...said].sort(), [merge('g_rel'), stop('g_rel'), allow('g_rel'), 'work', merge('h_rel')].sort())
  t.true(said.indexOf(allow('g_rel')) < said.indexOf('work'))
})

test('work on a graph leaves the merges of others alone', async (t) => {
  const { compaction, compacted, said, abort } = await amidMerge()
  await compaction.without('h', async () => {
    said.push('work')
    abort('g_rel')
    await compacted
  })
  t.deepEqual(said, [merge('g_rel'), 'work'])
})

test('whoever closes does not wait for a merge', async (t) => {
  const { compaction, compacted, said } = await amidMerge()
  await compaction.close()
  await compacted
  t.deepEqual(said, [merge('g_rel'), stop('g_rel'), allow('g_rel')])
})

test('merges of a server that others share are never stopped: a crash would leave them so', async (t) => {
  const { compaction, compacted, said, abort } = await amidMerge({ isEmbedded: false })
  await compaction.without('g', async () => {
    said.push('work')
  })
  await compaction.close()
  t.deepEqual(said, [merge('g_rel'), 'work'])
  abort('g_rel')
  await compacted
})

test('merges that could not be allowed again are so at the next look', async (t) => {
  const { compaction, compacted, said, abort, refuse } = await amidMerge()
  refuse('SYSTEM START')
  await compaction.without('g', async () => {})
  await until('it merges the other', () => said.includes(merge('h_rel')))
  abort('h_rel')
  await compacted
  t.false(said.includes(allow('g_rel')))
  refuse('')
  const again = compaction.compactAll()
  await until('it merges again', () => said.lastIndexOf(merge('g_rel')) > said.indexOf(allow('g_rel')))
  t.is(said.filter((text) => text === allow('g_rel')).length, 1)
  await compaction.close()
  await again
})

test('a merge that fails is told of and tried again, and keeps no other back', async (t) => {
  const told: string[] = []
  const merged: string[] = []
  let isFull = true
  const failing: ClickHouse = {
    ...clickhouse,
    rows: async <Row>() => [{ table: 'g_rel' }, { table: 'h_rel' }] as Row[],
    run: async (statement) => {
      if (isFull && String(statement).includes('g_rel')) throw new Error('the disk is full')
      merged.push(/\w+_rel/.exec(String(statement))?.[0] ?? '')
    },
  }
  const compaction = compactionOf(failing, {
    logger: pino({ base: null }, { write: (line: string) => told.push(JSON.parse(line).err.message) }),
    pauses: { look_ms: 1, failed_ms: 2 },
  })
  compaction.start()
  await until('the other is merged', () => merged.includes('h_rel'))
  isFull = false
  await until('it is tried again', () => merged.includes('g_rel'))
  await compaction.close()
  t.true(told.length > 0 && told.every((message) => message === 'the disk is full'))
})
