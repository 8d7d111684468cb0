/** A schema that was registered by its wire form is edited in words while events come in, and the process is killed amid the edits. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DATA_DIR = temporaryFolder()
let service: ServiceProcess = await spawnService({ DATA_DIR })
test.after.always(() => service.end('SIGKILL'))

const wire = {
  schema: 'till',
  streams: [
    {
      name: 'sales',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'shop', type: 5 },
        { name: 'price', type: 9, stat: 3 },
      ],
    },
  ],
}

type Attribute = string | { type: string; stats?: string[] }
type Words = { streams: { sales: { attributes: Record<string, Attribute>; groups?: object[] } } }

/** Edits in words, one after the other: each adds to the one before, or takes away again. */
const edits: readonly ((words: Words) => void)[] = [
  ({ streams: { sales } }) => {
    sales.attributes.price = { type: 'integer', stats: ['summary', 'p95', 'last'] }
  },
  ({ streams: { sales } }) => {
    sales.groups = [{ by: ['shop'], of: 'price', stats: ['summary'], every: '1m' }]
  },
  ({ streams: { sales } }) => {
    sales.attributes.shop = { type: 'text', stats: ['distinct', 'top'] }
  },
]

test.serial(
  'after kill -9 amid an edit in words both forms say the same schema, and no event is lost or counted twice',
  async (t) => {
    const random = randomFor(t)
    await service.client.register(wire)
    let [made, isStopped] = [0, false]
    const acknowledged = new Map<string, number>()
    async function load(): Promise<void> {
      while (!isStopped) {
        const lines = Array.from({ length: random.pick([1, 5, 40]) }, () => {
          made++
          return { _id: `e${made}`, shop: `s${made % 3}`, price: made }
        })
        for (;;) {
          const answer = await service.client.lines('till.sales', lines).catch(() => undefined)
          if (answer !== undefined) break
          await sleep(20)
        }
        for (const { _id, price } of lines) acknowledged.set(_id, price)
        await sleep(random.whole(1, 30))
      }
    }
    const loading = Promise.all([load(), load()])

    const get = async (path: string) => {
      const answer = await service.client.send('GET', path)
      t.is(answer.status, 200, answer.text)
      return answer.body
    }
    let answered = 0
    for (const edit of edits) {
      await sleep(300)
      const words = await get('/stream/till/schema?as=words')
      const wanted = structuredClone(words)
      edit(wanted)
      const editing = service.client.send('PUT', '/stream', wanted).catch(() => undefined)
      await sleep(random.whole(0, 250))
      await service.end('SIGKILL')
      const answer = await editing
      if (answer?.status === 200) answered++
      service = await spawnService({ DATA_DIR })
      const found = await get('/stream/till/schema?as=words')
      // The schema of before or of after, the latter where the edit was answered.
      const isDone = JSON.stringify(found) === JSON.stringify(wanted)
      t.true(
        isDone || (JSON.stringify(found) === JSON.stringify(words) && answer?.status !== 200),
        JSON.stringify(found),
      )
      // Both forms are one schema: the wire form, sent back, is no change.
      const shown = await get('/stream/till/schema')
      for (const form of [shown, found]) {
        const dry = await service.client.ok(service.client.send('PUT', '/stream?dry=1', form))
        t.deepEqual([dry.would_add, dry.would_change, dry.would_lose, dry.would_refuse], [[], [], [], []])
      }
      if (!isDone) t.is((await service.client.send('PUT', '/stream', wanted)).status, 200)
    }
    isStopped = true
    await loading

    const ask = async (sql: string) =>
      (await service.client.ok(service.client.send('POST', '/db/mydb/query', { sql, rows: 'objects' }))).rows
    const sum = [...acknowledged.values()].reduce((total, price) => total + price, 0)
    const [whole] = await ask('select aggr(price) from till.sales rollup 1')
    t.like(whole.value, { cnt: acknowledged.size, sum })
    t.is((await ask('select count(*) from till.sales'))[0].count, acknowledged.size)
    const groups: { value: { cnt: number; sum: number } }[] = await ask(
      'select aggr(price) from till.sales groupby shop',
    )
    const total = groups.reduce((all, { value }) => ({ cnt: all.cnt + value.cnt, sum: all.sum + value.sum }), {
      cnt: 0,
      sum: 0,
    })
    t.deepEqual(total, { cnt: acknowledged.size, sum })
    t.true(acknowledged.size > 20, `${acknowledged.size}`)
    t.log(`${acknowledged.size} events, ${answered} of ${edits.length} edits were answered before the kill`)
  },
)
