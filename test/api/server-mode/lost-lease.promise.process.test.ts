/** A process that is suspended amid a change loses its lease: what another process was answered meanwhile stands. */
import { join } from 'node:path'
import test from 'ava'
import { createServerClickHouse } from '../../../infra/clickhouse/server/client.ts'
import { suspend } from '../../../scripts/processes/suspend.js'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { isTaken } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const clickhouse = createServerClickHouse({ url: server.url })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

test.after.always(async () => {
  a.child.kill('SIGCONT')
  killServices()
  await clickhouse.close()
  await server.kill()
})

/** Enough that filling an aggregate takes a while. */
const rows = 30_000

const schemaOf = (schema: string, ...more: object[]) => ({
  schema,
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }, ...more] }],
})
const attributesOf = async ({ client }: typeof a, schema: string): Promise<string[]> => {
  const { streams } = await client.ok(client.get(`/stream/${schema}/schema`))
  return streams[0].attr.map(({ name }: { name: string }) => name)
}
const rowsOf = (table: string, where: string) =>
  clickhouse.rows<{ state: string }>({ text: `SELECT state FROM weir.${table} FINAL WHERE ${where}`, params: {} })

/**
 * Resolves once a record's state is `state`, with process A suspended: asked without a pause, since states pass. False where
 * it passed before A stood still, or unseen: `change`, A's request, is answered then.
 */
async function suspendedAt(table: string, where: string, state: string, change: Promise<unknown>): Promise<boolean> {
  let isAnswered = false
  const answered = (): void => {
    isAnswered = true
  }
  void change.then(answered, answered)
  while (!isAnswered) {
    const [row] = await rowsOf(table, where)
    if (row?.state !== state) continue
    await suspend(a.child)
    if ((await rowsOf(table, where))[0]?.state === state) return true
    a.child.kill('SIGCONT')
    await change
  }
  return false
}

/** A change that A begins, each time under another name, until A is suspended amid it: a state may be through before A stands still. */
async function suspendedAmid<Begun>(what: string, begin: (n: number) => Promise<Begun | undefined>): Promise<Begun> {
  for (let n = 1; n <= 20; n++) {
    const begun = await begin(n)
    if (begun !== undefined) return begun
  }
  throw new Error(`A was never suspended amid ${what}`)
}

async function bothServe(schema: string, expected: readonly string[]): Promise<void> {
  for (const each of [a, b]) {
    await until(
      `${each === a ? 'a' : 'b'} serves the edit of b`,
      async () => JSON.stringify(await attributesOf(each, schema)) === JSON.stringify(expected),
    )
  }
  await until('the schema is ready', async () => (await rowsOf('schemas', `name = '${schema}'`))[0]?.state === 'ready')
}

const states = ['editing', 'building', 'filling']
const served = ['n', 'g', 'yours']
const edited: string[] = []
const fought: string[] = []

for (const state of states.filter((_, index) => isTaken(index, 3))) {
  test.serial(
    `suspended amid an edit that is ${state}, a process takes over what another has edited since`,
    async (t) => {
      t.timeout(450_000)
      const g = { name: 'g', type: 'STRING', stat: 'COUNT' }
      const { schema, lost } = await suspendedAmid(`an edit that is ${state}`, async (n) => {
        const schema = `lost_${state}${n}`
        await a.client.register(schemaOf(schema, { name: 'g', type: 'STRING' }))
        await a.client.lines(
          `${schema}.st`,
          Array.from({ length: rows }, (_, n) => ({ n, g: `g${n % 10}` })),
        )
        t.is(await a.client.count(`select count(*) from ${schema}.st`), rows)
        const lost = a.client.send('PUT', '/stream', schemaOf(schema, g, { name: 'mine', type: 'LONG' }))
        return (await suspendedAt('schemas', `name = '${schema}'`, state, lost)) ? { schema, lost } : undefined
      })
      edited.push(schema)
      const answer = await b.client.send('PUT', '/stream', schemaOf(schema, g, { name: 'yours', type: 'LONG' }))
      t.is(answer.status, 200, answer.text)
      a.child.kill('SIGCONT')
      t.is((await lost).status, 503)
      await bothServe(schema, served)
      for (const { client } of [a, b]) await client.event(`${schema}.st`, { n: 1, g: 'x', yours: 7 })
      for (const { client } of [a, b]) {
        await until(
          'both events are counted',
          async () => (await client.count(`select count(*) from ${schema}.st where yours = 7`)) === 2,
        )
        for (const attribute of ['n', 'g']) {
          // An event that another process was sent may be seen before its statistics are.
          const counted = async (): Promise<number> => {
            const [row] = await client.rows(`select aggr(${attribute}) from ${schema}.st rollup 1`)
            return JSON.parse(String(row?.v)).aggr_val.cnt
          }
          await until(`both events count in ${attribute}`, async () => (await counted()) >= rows + 2, 30_000)
          t.is(await counted(), rows + 2, attribute)
        }
      }
    },
  )
}

test.serial(
  'suspended amid the making of a table, a process leaves alone what another has made under its name',
  async (t) => {
    t.timeout(450_000)
    const { name, table, lost } = await suspendedAmid('the making of a table', async (n) => {
      const name = `fought${n}`
      const table = { table_name: name, table_type: 1, key_type: 1 }
      const lost = a.client.post('/db/d/table', table)
      return (await suspendedAt('tables', `storage LIKE '%${name}%'`, 'making', lost))
        ? { name, table, lost }
        : undefined
    })
    const made = await until(
      'b has made it',
      async () => {
        const answer = await b.client.post('/db/d/table', table)
        return answer.status === 503 ? undefined : answer
      },
      90_000,
    )
    t.is(made.status, 200, made.text)
    await b.client.ok(b.client.post(`/db/d/${name}/doc`, { _pk: 'k', doc: { town: 'Bern' } }))
    a.child.kill('SIGCONT')
    t.is((await lost).status, 503)
    fought.push(name)
  },
)

test.serial('left-over work that is tried again undoes nothing of it', async (t) => {
  // An undo that was only put off would show by then: left-over work is tried again after two seconds.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  for (const each of [a, b]) {
    for (const schema of edited) t.deepEqual(await attributesOf(each, schema), served)
    for (const name of fought) t.is((await each.client.ok(each.client.get(`/db/d/${name}?key=k`))).town, 'Bern')
  }
})
