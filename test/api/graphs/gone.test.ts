/** Nodes that go from a graph of some thousand relations: each way of reading, the projection's too, knows of it. */
import test, { type ExecutionContext } from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DATA_DIR = temporaryFolder()
const clickhouse = breakableClickHouse()
const start = () => startService({ DATA_DIR }, silentLogger(), { clickhouse: clickhouse.wrap })
let service: RunningService
test.after.always(() => service.close())

const rels = [{ sub: 'a', sub_label: 'A', rel: 'R', obj: 'b', obj_label: 'B' }]
const attr = ['a', 'b'].map((name) => ({ name, type: 'STRING' }))
type Pair = readonly [a: string, b: string]
let pairs: Pair[] = Array.from({ length: 4_000 }, (_, i) => [`a${i % 1_500}`, `b${(i * 7) % 20}`])
test.before(async () => {
  service = await start()
  await service.client.register({ schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr, rels }] })
  await service.client.lines(
    's.st',
    pairs.map(([a, b]) => ({ a, b })),
  )
})

const ask = async (text: string) => service.client.ok(service.client.send('POST', '/graph/s_graph/query', text))
/** Relations in each form that a plan may read them by. */
async function holds(t: ExecutionContext, moment: string): Promise<void> {
  const among = (is: (pair: Pair) => boolean) => pairs.filter(is).length
  const forms: [pattern: string, count: number][] = [
    ['(*)-[*]->(*)', pairs.length],
    ['(*)-[R]->(*)', pairs.length],
    ['(A:*)-[R]->(B:*)', pairs.length],
    ['(*)-[*]->(B:b0)', among(([, b]) => b === 'b0')],
    ['(B:b14)<-[R]-(A:*)', among(([, b]) => b === 'b14')],
    ['(A:a3)-[*]->(*)', among(([a]) => a === 'a3')],
  ]
  for (const [pattern, count] of forms) {
    const { rows } = await ask(`s=>${pattern}; RETURN COUNT(*) AS n`)
    t.is(rows[0].n, count, `${moment}: ${pattern}`)
  }
}

test.serial('what goes with a node is in no answer, by whichever end it is read', async (t) => {
  await holds(t, 'at first')
  for (const [label, name] of [
    ['A', 'a3'],
    ['A', 'a10'],
    ['B', 'b7'],
  ]) {
    await ask(`DELETE (${label}:${name})`)
    pairs = pairs.filter(([a, b]) => a !== name && b !== name)
    await holds(t, `without ${name}`)
  }
})

test.serial('what moves to another node is there once', async (t) => {
  await ask('MERGE (A:a20)<-[*]-(A:a30)')
  pairs = pairs.map(([a, b]) => [a === 'a30' ? 'a20' : a, b])
  await holds(t, 'a30 merged')
  await ask('MERGE (B:b0)<-[*]-(B:b14)')
  pairs = pairs.map(([a, b]) => [a, b === 'b14' ? 'b0' : b])
  await holds(t, 'b14 merged')
})
