/** A server that breaks its answers off, over a plain connection and over a packed one. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { packedUrl } from '../../support/clickhouse/server-mode.ts'
import { killServices, spawnService } from '../../support/process.ts'
import type { Answer, Row } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const schema = {
  schema: 'cut',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
}
const count = 2_000

/** The key of an aggregate is the moment of its answer. */
const shown = ({ body }: Answer) => body.rows?.map(({ v }: Row) => v) ?? body.retval

for (const isPacked of [false, true]) {
  test.serial(
    `${isPacked ? 'packed' : 'plain'}: what breaks off amid an answer is an error and no rows, and nothing counts twice`,
    async (t) => {
      t.timeout(300_000)
      const folder = temporaryFolder()
      const server = await startTestClickHouse({ folder: join(folder, 'server') })
      t.teardown(server.kill)
      const service = await spawnService({
        DATA_DIR: join(folder, 'weir'),
        CLICKHOUSE_URL: isPacked ? packedUrl(server.url) : server.url,
      })
      const { client } = service
      await client.register(schema)
      const out = { does: 'break', code: 241, name: 'MEMORY_LIMIT_EXCEEDED' } as const
      await server.fault({ ...out, matching: 'INSERT INTO `cut`', times: 1 })
      await client.lines(
        'cut.st',
        Array.from({ length: count }, (_, n) => ({ n })),
      )
      t.is(await client.count('select count(*) from cut.st'), count)
      t.is(await server.faultsMet(), 1)

      const ask = (sql: string) => client.send('POST', '/db/mydb/query', { sql })
      for (const sql of [
        'select * from cut.st',
        'select aggr(n) from cut.st rollup 1',
        'select count(*) from cut.st',
      ]) {
        const whole = await ask(sql)
        t.is(whole.status, 200, whole.text)
        await server.fault({ ...out, matching: 'FROM `cut`' })
        const broken = await ask(sql)
        t.deepEqual([broken.status, broken.headers.has('retry-after')], [503, true], broken.text)
        t.deepEqual(Object.keys(broken.body), ['errcode', 'error'], sql)
        t.deepEqual(shown(await ask(sql)), shown(whole), sql)
      }
      t.is(await server.faultsMet(), 4)
      await service.end('SIGTERM')
    },
  )
}
