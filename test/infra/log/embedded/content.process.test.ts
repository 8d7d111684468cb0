/** No event's content gets into the log of the process. */
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { killServices, spawnService } from '../../../support/process.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

test.after.always(killServices)

test('a marker in an event that ClickHouse does not take is in no line of the log, and stands in __rejected', async (t) => {
  const marker = 'marker-7hq2z'
  const folder = temporaryFolder()
  const first = await spawnService({ DATA_DIR: folder })
  const attr = [{ name: 'n', type: 9 }]
  await first.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  await first.end('SIGTERM')
  const { log } = createLmdbLog({ path: join(folder, 'log'), maxBytes: 1e6 })
  const bad = [`{"_pk":1700000000000001,"_seq":1,"n":"${marker}"}`, `{"_pk":1700000000000002,"_seq":2,"n":5 ${marker}`]
  await log.append('s.st', Buffer.from(`${bad.join('\n')}\n`), 2)
  await log.close()

  const { client, end, errors, url } = await spawnService({ DATA_DIR: folder, LOG_LEVEL: 'debug' })
  const rejected = async () =>
    String((await client.post('/sql', { sql: 'SELECT count() AS n, any(line) AS line FROM s.st__rejected' })).text)
  await until('both stand in __rejected', async () => /"n":\s*"?2\b/.test(await rejected()))
  t.true((await rejected()).includes(marker))
  await fetch(`${url}/sql`, { method: 'POST', body: JSON.stringify({ sql: `SELEC '${marker}'` }) })
  await end('SIGTERM')
  t.regex(errors(), /event rejected by ClickHouse/)
  t.deepEqual(
    errors()
      .split('\n')
      .filter((line) => line.includes(marker)),
    [],
  )
})
