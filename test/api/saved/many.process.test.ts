/** As many saved questions as there may be: what their start, their list, a change and their memory cost. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
const start = () => spawnService({ DATA_DIR: join(folder, 'data'), CLICKHOUSE_URL: server.url })

test.after.always(async () => {
  killServices()
  await server.kill()
})

const megabytesOf = ({ child }: ServiceProcess): number => {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('10,000 saved questions: the start, the list, changes and memory are bounded, and one more is refused', async (t) => {
  t.timeout(600_000)
  const empty = await start()
  const [startEmpty_ms, mb] = [empty.started_ms, megabytesOf(empty)]
  await empty.client.ok(empty.client.send('PUT', '/saved/first', { sql: 'SELECT 1 AS n' }))
  await empty.end('SIGTERM')
  const statement = [
    "INSERT INTO weir.saved SELECT concat('q', toString(number)), 1,",
    // Every tenth is a watch that is due once a day.
    `if(number % 10 = 0, '{"sql":"SELECT 1 AS n","watch":{"every":86400,"when":"n > 1"}}', '{"sql":"SELECT 1 AS n"}'),`,
    "[], 'test', toUnixTimestamp64Micro(now64(6)), 'live', 1 FROM numbers(9998)",
  ].join(' ')
  const inserted = await fetch(server.url, { method: 'POST', body: statement })
  t.is(inserted.status, 200, await inserted.text())

  const full = await start()
  const { client } = full
  t.log(`start ${Math.round(startEmpty_ms)} ms without them, ${Math.round(full.started_ms)} ms with them`)
  t.true(full.started_ms < startEmpty_ms * 2 + 5_000)
  t.log(`${Math.round(mb)} MB without them, ${Math.round(megabytesOf(full))} MB with them`)
  t.true(megabytesOf(full) < mb + 150)

  const timed = async <Answer>(what: string, call: Promise<Answer>): Promise<Answer> => {
    const began = performance.now()
    const answer = await call
    t.log(`${what}: ${Math.round(performance.now() - began)} ms`)
    return answer
  }
  const page = await timed('a page of 100', client.ok(client.get('/saved?limit=100')))
  t.is(page.saved.length, 100)
  t.is(page.num_saved, 9_999)
  const put = (name: string, sql: string) => client.send('PUT', `/saved/${name}`, { sql })
  t.is((await timed('a new one', put('last', 'SELECT 2 AS n'))).status, 200)
  t.is((await timed('a change', put('q5', 'SELECT 3 AS n'))).status, 200)
  t.deepEqual((await client.ok(client.get('/saved/q5/rows'))).rows, [{ n: 3 }])
  const refused = await put('one_more', 'SELECT 4 AS n')
  t.is(refused.status, 409)
  t.regex(refused.body.error[0], /there are 10000 saved questions, which is the most/)
  await client.ok(client.send('DELETE', '/saved/q7'))
  await until('there is room again', async () => (await put('one_more', 'SELECT 4 AS n')).status === 200)
})
