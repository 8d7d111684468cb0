/** Imports of files by a process that is killed and starts again: each row once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { isTaken, randomFor, rounds } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const rows = 200_000
/** In every other gate an import that has already gone on behind a kill is killed, too. */
const mostKills = rounds(6, isTaken(0, 2) ? 2 : 1)
const line = (n: number): string => `${n},name of ${n},${n / 4}`
const csv = `n,name,price\n${Array.from({ length: rows }, (_, n) => (n % 1000 === 7 ? 'broken' : line(n))).join('\n')}\n`

test('kill -9 at any moment of an import, and each row of its files is there once', async (t) => {
  t.timeout(600_000)
  const random = randomFor(t)
  const folder = temporaryFolder()
  const attr = [
    { name: 'n', type: 'LONG' },
    { name: 'name', type: 'STRING' },
    { name: 'price', type: 'DOUBLE' },
  ]
  let kills = 0
  for (let round = 0; ; round++) {
    const service = await spawnService({ DATA_DIR: folder })
    const { client } = service
    if (round === 0) {
      await client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
      await client.ok(client.post('/brs/bucket', { bucket_name: 'files' }))
      await client.ok(client.send('PUT', '/brs/files/object/a.csv', Buffer.from(csv)))
      await client.ok(client.send('PUT', '/brs/files/object/b.csv', gzipSync(csv)))
      const from = { bucket: 'files', prefix: '' }
      await client.ok(client.post('/import', { id: 'all', from, format: 'CSV', into: 's.st' }))
    }
    const before = (await client.ok(client.get('/import/all'))).accepted
    let found = await client.ok(client.get('/import/all'))
    const until_ms = performance.now() + random.whole(50, 1550)
    while (found.state === 'running' && (kills >= mostKills || performance.now() < until_ms)) {
      await sleep(20)
      found = await client.ok(client.get('/import/all'))
    }
    t.true(found.accepted >= before)
    if (found.state === 'running') {
      kills++
      await service.end('SIGKILL')
      continue
    }
    t.log(`${kills} kills`)
    t.true(kills > 0, 'the import was killed amid its rows')
    const good = rows - rows / 1000
    t.like(found, { state: 'done', accepted: 2 * good, rejected: (2 * rows) / 1000, files_done: 2 })
    t.is(found.errors.length, 100)
    t.like(found.errors[1], { key: 'a.csv', row: 1009 })
    const sql = 'SELECT count() AS c, uniqExact(n) AS u, sum(n) AS s FROM s.st'
    const sums = await client.ok(client.post('/sql', { sql, format: 'JSONEachRow' }))
    let sum = 0
    for (let n = 0; n < rows; n++) if (n % 1000 !== 7) sum += n
    t.deepEqual([Number(sums.c), Number(sums.u), Number(sums.s)], [2 * good, good, 2 * sum])
    return
  }
})

test('an import goes on behind a stop, too', async (t) => {
  const folder = temporaryFolder()
  const first = await spawnService({ DATA_DIR: folder })
  const attr = [{ name: 'n', type: 'LONG' }]
  await first.client.ok(
    first.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }),
  )
  await first.client.ok(first.client.post('/brs/bucket', { bucket_name: 'files' }))
  await first.client.ok(first.client.send('PUT', '/brs/files/object/a.csv', Buffer.from(csv)))
  const from = { bucket: 'files', key: 'a.csv' }
  await first.client.ok(first.client.post('/import', { id: 'one', from, format: 'CSV', into: 's.st' }))
  t.is((await first.end('SIGTERM')).code, 0)
  const { client } = await spawnService({ DATA_DIR: folder })
  const found = () => client.ok(client.get('/import/one'))
  await until('it is done', async () => (await found()).state === 'done', 120_000)
  t.like(await found(), { state: 'done', accepted: rows - rows / 1000 })
  t.is((await client.ok(client.query('select count(*) from s.st'))).retval, rows - rows / 1000)
})
