import test from 'ava'
import { pino } from 'pino'
import { breakableClickHouse } from '../../../support/clickhouse/breakable-clickhouse.ts'
import { until } from '../../../support/until.ts'
import { openGraphs } from '../open.ts'

const breakable = breakableClickHouse()
const said: { readonly level: number; readonly graph: string }[] = []
const logger = pino({ base: null }, { write: (line: string) => said.push(JSON.parse(line)) })
const { graphs, ask, create, close } = await openGraphs([], undefined, breakable.wrap, logger)
test.after.always(close)

const relations = async (graph: string): Promise<string[]> =>
  (await ask(graph, 's=>(*)-[*]->(*)')).triple.map(
    ({ sub, obj }: { readonly sub: string; readonly obj: string }) => `${sub} ${obj}`,
  )
const names = async (graph: string): Promise<string[]> =>
  (await ask(graph, 's=>(P:*)')).nodes.map(({ name }: { readonly name: string }) => name)

const cases = [
  { text: 'MERGE (P:a)<-[*]-(P:b)', relations: ['P:a P:d', 'P:c P:a'], names: ['a', 'c', 'd'] },
  { text: 'DELETE (P:b)', relations: [], names: ['a', 'c', 'd'] },
]

const linesOf = (graph: string): string[] =>
  said.flatMap((line) => (line.graph === graph ? [line.level === 40 ? 'warn' : 'info'] : []))

async function prepared(graph: string): Promise<string> {
  await graphs.make(graph)
  await ask(graph, 'CREATE (P:a)')
  await ask(graph, 'CREATE (P:c)-[R]->(P:b)-[R]->(P:d)')
  return graph
}

for (const [number, { text, ...wanted }] of cases.entries()) {
  test.serial(
    `${text} that fails at any statement is ended once ClickHouse answers again, by no restart`,
    async (t) => {
      const whole = await prepared(`whole${number}`)
      const statements = await breakable.count(() => ask(whole, text))
      t.true(statements > 1)
      for (let at = 0; at < statements; at++) {
        const graph = await prepared(`half${number}_${at}`)
        breakable.failAt(at)
        const isFailed = await ask(graph, text).then(
          () => false,
          () => true,
        )
        breakable.heal()
        if (isFailed)
          await until(`${text} is ended`, async () => (await names(graph)).length === wanted.names.length, 60_000)
        t.deepEqual([await relations(graph), await names(graph)], [wanted.relations, wanted.names], `statement ${at}`)
      }
    },
  )

  test.serial(`what is written after ${text} has failed is not taken by its end`, async (t) => {
    const graph = await prepared(`after${number}`)
    breakable.failAt(0, { lasting: true })
    await t.throwsAsync(ask(graph, text))
    t.deepEqual(linesOf(graph), ['warn'])
    await t.throwsAsync(ask(graph, 'CREATE (P:b)-[R]->(P:e)'), undefined, 'nothing is written before it has ended')
    breakable.heal()
    await ask(graph, 'CREATE (P:b)-[R]->(P:e)')
    t.deepEqual(await relations(graph), [...wanted.relations, 'P:b P:e'].toSorted())
    await create().open()
    t.deepEqual(await relations(graph), [...wanted.relations, 'P:b P:e'].toSorted())
    t.deepEqual(linesOf(graph), ['warn', 'info'], 'a line as it fails, a line as it is ended, and none a try')
  })
}

test.serial('a deletion that a crash left begun is ended by the next start', async (t) => {
  const graph = await prepared('crashed')
  await leaveBegun(graph)
  await create().open()
  t.deepEqual([await relations(graph), await names(graph)], [[], ['a', 'c', 'd']])
})

test.serial('a deletion that was begun goes with its graph, and meets none that is made under its name', async (t) => {
  const graph = await prepared('dropped')
  await leaveBegun(graph)
  await graphs.drop(graph)
  await prepared(graph)
  await create().open()
  t.deepEqual(
    [await relations(graph), await names(graph)],
    [
      ['P:b P:d', 'P:c P:b'],
      ['a', 'b', 'c', 'd'],
    ],
  )
})

/** The deletion of `P:b`, as a crash leaves it. */
async function leaveBegun(graph: string): Promise<void> {
  const primary = { primary_label: '', primary_name: '' }
  const row = { graph, ...primary, secondary_label: 'P', secondary_name: 'b', state: 'begun', version: 9e15 }
  const rows = Buffer.from(`${JSON.stringify(row)}\n`)
  await breakable.real().insert({ table: 'weir.graph_merges', rows })
}
