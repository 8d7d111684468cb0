/** Changes of tables that ClickHouse cuts off: nothing is left of them for long, and their names are free again. */
import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const faults = breakableClickHouse()
const folder = temporaryFolder()
const start = () => startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: faults.wrap })
let service = await start()
test.after.always(() => service.close())

const table = (name: string) => ({ table_name: name, table_type: 1, key_type: 1 })
const make = (name: string) => service.client.post('/db/shop/table', table(name))
const drop = (name: string) => service.client.send('DELETE', `/db/shop/${name}`)

/** ClickHouse's tables for a table of Weir's, under its name and as storage. */
async function traces(name: string): Promise<string[]> {
  const text =
    "SELECT name FROM system.tables WHERE (database = 'shop' AND name = {name:String}) OR (database = 'weir_records' AND position(name, {name:String}) > 0)"
  const rows = await faults.real().rows<{ name: string }>({ text, params: { name } })
  return rows.map((row) => row.name)
}

async function isUsable(name: string): Promise<boolean> {
  const { client } = service
  await client.ok(client.post(`/db/shop/${name}/doc`, { _pk: 'k', doc: { n: 1 } }))
  return (await client.ok(client.get(`/db/shop/${name}?key=k`))).n === 1
}

test.serial(
  'a table whose making or dropping fails at any statement, with all that would mend it, may be made again at once',
  async (t) => {
    t.timeout(300_000)
    const statements = { make: await faults.count(() => make('probe')), drop: await faults.count(() => drop('probe')) }
    t.true(statements.make >= 5 && statements.drop >= 5)
    for (const step of ['make', 'drop'] as const) {
      for (let at = 0; at < statements[step]; at++) {
        const name = `${step}${at}`
        if (step === 'drop') t.is((await make(name)).status, 200)
        faults.failAt(at, { lasting: true })
        t.is((await (step === 'make' ? make(name) : drop(name))).status, 503, name)
        t.not((await make(name)).status, 200)
        faults.heal()
        const made = await make(name)
        t.is(made.status, 200, `${name}: ${made.text}`)
        t.true(await isUsable(name))
        t.is((await drop(name)).status, 200)
        t.deepEqual(await traces(name), [])
      }
    }
  },
)

test.serial('what is left of a table goes without being asked for, and until then health tells of it', async (t) => {
  t.is((await make('left')).status, 200)
  faults.failAt(1, { lasting: true })
  t.is((await drop('left')).status, 503)
  t.is((await make('half')).status, 503)
  t.is((await service.client.get('/db/shop/left')).status, 404)
  const { parts } = await service.client.ok(service.client.get('/health/ready'))
  t.like(parts.tables, { status: 'failing', takes: true, answers: false })
  t.deepEqual(
    parts.tables.failing.map((each: { table: string }) => each.table),
    ['shop.left', 'shop.half'],
  )
  faults.heal()
  await until('nothing is left', async () => (await traces('left')).length === 0, 30_000)
  await until('health tells of nothing', async () => {
    const { body } = await service.client.get('/health/ready')
    return body.parts.tables === undefined
  })
  t.deepEqual(await traces('half'), [])
})

test.serial('a table that cannot be ended at a start keeps the service from nothing, and is ended later', async (t) => {
  t.is((await make('stays')).status, 200)
  t.is((await make('goes')).status, 200)
  faults.failAt(1, { lasting: true })
  t.is((await drop('goes')).status, 503)
  faults.heal()
  await service.close()
  let refusals = 1
  service = await startService({ DATA_DIR: folder }, silentLogger(), {
    clickhouse: (part) => ({
      ...faults.wrap(part),
      async run(statement) {
        if (String(statement).startsWith('DROP') && refusals-- > 0) throw new Error('it fails here')
        return part.run(statement)
      },
    }),
  })
  t.true(await isUsable('stays'))
  await until('it is gone', async () => (await traces('goes')).length === 0, 30_000)
  t.is((await make('goes')).status, 200)
})

test.serial('an index whose making fails with all that would mend it may be made again', async (t) => {
  await service.close()
  service = await start()
  t.is((await make('indexed')).status, 200)
  await isUsable('indexed')
  const index = { index_name: 'n', key_type: 10, key_size: 8 }
  const add = () => service.client.post('/db/shop/indexed/index', index)
  faults.failAt(1, { lasting: true })
  t.is((await add()).status, 503)
  faults.heal()
  const made = await add()
  t.is(made.status, 200, made.text)
  const { num_items } = await service.client.ok(
    service.client.post('/db/shop/query', { sql: 'select * from indexed where n = 1' }),
  )
  t.is(num_items, 1)
})
