/** A deletion with undo, and an undeletion, that are cut off at any statement: the next start ends or undoes each. */
import { cpSync } from 'node:fs'
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { isPicked, rounds, turn } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { answersOf, shop, visits } from './shop.ts'

/** Statements that ClickHouse still runs, before the process is as good as killed. */
let left = Number.POSITIVE_INFINITY
const cut = (part: ClickHouse): ClickHouse => ({
  ...part,
  async run(statement) {
    if (left <= 0) throw new Error('cut off')
    left -= 1
    return part.run(statement)
  },
})

let folder = temporaryFolder()
const start = () => startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: cut })
let service = await start()
test.after.always(() => service.close())

async function startAgain(): Promise<void> {
  await service.close()
  left = Number.POSITIVE_INFINITY
  service = await start()
  await until('nothing is half-done', isReady, 60_000)
}
const isReady = async () => (await service.client.get('/health/ready')).body.parts.schemas.status === 'up'

type Thing = {
  readonly remove: () => Promise<{ readonly status: number }>
  readonly undelete: () => Promise<{ readonly status: number }>
  readonly isThere: () => Promise<boolean>
  readonly answers: () => Promise<unknown>
}

const send = (method: string, path: string, body?: unknown) => service.client.send(method, path, body)
const isOk = async (path: string): Promise<boolean> => (await send('GET', path)).status === 200

const things: Readonly<Record<string, Thing>> = {
  schema: {
    remove: () => send('DELETE', '/stream/shop?undo=24'),
    undelete: () => send('POST', '/stream/shop/undelete'),
    isThere: () => isOk('/stream/shop/schema'),
    answers: () => answersOf(service.client, 'shop'),
  },
  stream: {
    remove: () => send('DELETE', '/stream/shop/visits?undo=24'),
    undelete: () => send('POST', '/stream/shop/visits/undelete'),
    isThere: () => isOk('/stream/shop/visits/state'),
    answers: () => answersOf(service.client, 'shop'),
  },
  graph: {
    remove: () => send('DELETE', '/graph/web?undo=24'),
    undelete: () => send('POST', '/graph/web/undelete'),
    isThere: async () => (await send('GET', '/graph/list')).body.graphs.includes('web'),
    answers: async () => (await send('POST', '/graph/web/query', 's=>(P:*)-[*]->(P:*); RETURN *')).body,
  },
  table: {
    remove: () => send('DELETE', '/db/kdb/T?undo=24'),
    undelete: () => send('POST', '/db/kdb/T/undelete'),
    isThere: () => isOk('/db/kdb/T'),
    answers: async () => (await send('POST', '/db/kdb/query', { sql: 'select * from T' })).body,
  },
  bucket: {
    remove: () => send('POST', '/brs/bucket/delete?undo=24', { bucket_name: 'shelf' }),
    undelete: () => send('POST', '/brs/shelf/undelete'),
    isThere: async () => (await send('POST', '/brs/list/0')).body.buckets.includes('shelf'),
    answers: async () => (await send('GET', '/brs/shelf/object/deep/key')).text,
  },
}

test.before(async () => {
  const { client } = service
  await client.register(shop('shop'))
  await client.lines('shop.visits', visits(0))
  await client.ok(client.send('PUT', '/stream/shop/lone/state', { state: 0 }))
  await client.ok(client.post('/graph/web', undefined))
  await client.ok(client.post('/graph/web/query', 'CREATE (P:a {"x":1})-[KNOWS]->(P:b)'))
  await client.ok(client.post('/db/kdb/table', { table_name: 'T', table_type: 'NORMAL', key_type: 1, key_sz: 24 }))
  await client.ok(client.post('/db/kdb/T/doc', { _pk: 'k', doc: 'text' }))
  await client.ok(client.post('/brs/bucket', { bucket_name: 'shelf' }))
  await client.ok(client.send('PUT', '/brs/shelf/object/deep/key', 'bytes'))
  await service.close()
})

/** All things, as no deletion has met them yet. */
const whole = folder

/**
 * Each test has a copy of its own: ClickHouse keeps the parts that a deletion has replaced for eight minutes, and reads them
 * again at each start.
 */
test.serial.beforeEach(async () => {
  await service.close()
  left = Number.POSITIVE_INFINITY
  folder = temporaryFolder()
  cpSync(whole, folder, { recursive: true })
  service = await start()
})

/** Every one of so many statements is the last one, chosen by the seed; a change of fewer has one amid them all the same. */
const every = {
  schema: rounds(9, 27),
  stream: rounds(9, 27),
  graph: rounds(5, 10),
  table: rounds(2, 4),
  bucket: rounds(2, 4),
}

for (const [name, thing] of Object.entries(things)) {
  test.serial(`a ${name} is whole, or kept whole, wherever its deletion or undeletion is cut off`, async (t) => {
    t.timeout(1_500_000)
    const [before, step] = [await thing.answers(), every[name as keyof typeof every]]
    const kept = async () => (await send('GET', '/deleted')).body.deleted.length
    for (const change of ['remove', 'undelete'] as const) {
      /** Changes, with so many statements before the end, and starts again. How many statements ran if it was not cut off. */
      const cutAfter = async (last: number): Promise<number | undefined> => {
        const isThere = await thing.isThere()
        if (isThere !== (change === 'remove')) t.is((await thing[isThere ? 'remove' : 'undelete']()).status, 200)
        left = last
        const { status } = await thing[change]()
        const took = left > 0 ? last - left : undefined
        if (took !== undefined) t.is(status, 200)
        await startAgain()
        const isBack = await thing.isThere()
        t.is(await kept(), isBack ? 0 : 1, `${change}, cut off after ${last}`)
        if (!isBack) t.is((await thing.undelete()).status, 200, `${change}, cut off after ${last}`)
        t.deepEqual(await thing.answers(), before, `${change}, cut off after ${last}`)
        return took
      }
      const statements = (await cutAfter(1_000_000)) ?? 0
      t.true(statements > 1, `${change}: ${statements} statements`)
      t.is(await cutAfter(0), undefined)
      const amid = Array.from({ length: statements - 1 }, (_, i) => i + 1)
      const picked = amid.filter((last) => isPicked(last, step))
      let cuts = 0
      for (const last of picked.length > 0 ? picked : [amid[turn % amid.length] ?? 1]) {
        if ((await cutAfter(last)) === undefined) cuts++
      }
      t.true(cuts > 0, `${change}: none of the cuts was amid its ${statements} statements`)
    }
  })
}
