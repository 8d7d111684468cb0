/** A graph that is dropped while others write to it, by a service that has not written to it itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DATA_DIR = temporaryFolder()
const earlier = await startService({ DATA_DIR })
for (const graph of ['written', 'twice'])
  await earlier.client.ok(earlier.client.post(`/graph/${graph}/node`, { label: 'P', name: 'before', prop: {} }))
await earlier.close()

let hold = async (_statement: string): Promise<void> => {}
let letGo = () => {}
/** Statements with `part` wait from now on, and no insert into a graph begins, until they are let go; resolves at the first. */
function holdAt(part: string): Promise<void> {
  return new Promise((reached) => {
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    hold = async (statement) => {
      if (statement.includes(part)) reached()
      if (statement.includes(part) || statement.startsWith('insert into `graph`')) await held
    }
  })
}
const service = await startService({ DATA_DIR }, undefined, {
  clickhouse: (part) => ({
    ...part,
    run: async (statement) => {
      if (typeof statement === 'string') await hold(statement)
      await part.run(statement)
    },
    insert: async (insertion) => {
      await hold(`insert into ${insertion.table}`)
      await part.insert(insertion)
    },
  }),
})
const { client } = service
test.after.always(() => service.close())
test.afterEach.always(() => {
  letGo()
  hold = async () => {}
})

const addNode = (graph: string, name: string) => client.post(`/graph/${graph}/node`, { label: 'P', name, prop: {} })
const drop = (graph: string) => client.send('DELETE', `/graph/${graph}`)
const names = async (graph: string): Promise<string[]> => {
  const { rows } = await client.ok(client.send('POST', `/graph/${graph}/query`, 's=>(@p P:*); RETURN p.name'))
  return rows.map(({ name }: { name: string }) => name)
}

test.serial('what is written while a graph is dropped comes into a new one of its name', async (t) => {
  const reached = holdAt('DELETE FROM `weir`.`graph_merges`')
  const dropped = drop('written')
  await reached
  const written = addNode('written', 'meanwhile').then(() => addNode('written', 'behind'))
  // Long enough for writes that wait for nothing.
  await sleep(500)
  letGo()
  t.deepEqual([(await dropped).status, (await written).status], [200, 200])
  t.deepEqual((await names('written')).sort(), ['behind', 'meanwhile'])
})

test.serial(
  'what is written by a service that has written to the graph waits for its drop, and makes it anew',
  async (t) => {
    await client.ok(addNode('known', 'before'))
    for (const part of ['DROP VIEW IF EXISTS `graph`.`known`', 'DELETE FROM `weir`.`graph_merges`']) {
      const reached = holdAt(part)
      const dropped = drop('known')
      await reached
      const end = { label: 'P', name: part, prop: {} }
      const written = [
        addNode('known', 'meanwhile'),
        client.post('/graph/known/triple', { sub: end, pred: { rel: 'R', prop: {} }, obj: end }),
      ]
      const changed = client.send('POST', '/graph/known/query', 'DELETE (P:before)')
      await sleep(300)
      letGo()
      t.deepEqual(
        [(await dropped).status, ...(await Promise.all(written)).map(({ status }) => status)],
        [200, 200, 200],
      )
      t.true([200, 404].includes((await changed).status))
      t.deepEqual((await names('known')).sort(), [part, 'meanwhile'], part)
    }
  },
)

test.serial('of two drops at once the second finds no graph', async (t) => {
  const reached = holdAt('DROP VIEW IF EXISTS `graph`.`twice`')
  const first = drop('twice')
  await reached
  const second = drop('twice')
  await sleep(300)
  letGo()
  t.deepEqual([(await first).status, (await second).status], [200, 404])
  await client.ok(addNode('twice', 'after'))
  t.deepEqual(await names('twice'), ['after'])
})
