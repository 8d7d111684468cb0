import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const settings = { DATA_DIR: temporaryFolder(), LOG_LEVEL: 'info' }
const ends: (() => Promise<unknown>)[] = []
test.after.always(() => Promise.all(ends.map((end) => end())))

async function start() {
  const service = await spawnService(settings)
  ends.push(() => service.end('SIGKILL'))
  return service
}

test.serial('kill -9 amid writes loses no acknowledged record, and halves none', async (t) => {
  const acknowledged = new Map<string, number>()
  const sent = new Map<string, number>()
  let answers = 0
  let service = await start()
  await service.client.ok(service.client.post('/db/mydb/table', { table_name: 'kept', table_type: 1, key_type: 1 }))
  await service.client.ok(service.client.post('/db/mydb/kept/index', { index_name: 'n', key_type: 10, key_size: 8 }))
  for (let round = 0; round < 3; round++) {
    let going = true
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let i = 0; going; i++) {
        const key = `w${writer}-${i % 20}`
        const n = (sent.get(key) ?? 0) + 1
        sent.set(key, n)
        const answer = await service.client
          .post('/db/mydb/kept/doc', { _pk: key, doc: { n, twice: n } })
          .catch(() => undefined)
        if (answer?.status !== 200) continue
        acknowledged.set(key, n)
        answers++
      }
    })
    const enough = 150 * (round + 1)
    await until('records are acknowledged', () => answers > enough, 60_000)
    going = false
    await service.end('SIGKILL')
    await Promise.all(writers)
    service = await start()
    const found = await service.client.documents('select * from kept')
    for (const { _pk, n, twice } of found) {
      t.is(n, twice, `${_pk} is a mixture`)
      t.true(n >= (acknowledged.get(_pk) ?? 0), `${_pk} has ${n}, acknowledged was ${acknowledged.get(_pk)}`)
      t.true(n <= (sent.get(_pk) ?? 0))
    }
    t.deepEqual(
      [...acknowledged.keys()].filter((key) => !found.some(({ _pk }) => _pk === key)),
      [],
    )
    for (const { _pk, n } of found.slice(0, 30)) {
      const rows = await service.client.rows(`select * from kept where n = ${n} and _pk = "${_pk}"`)
      t.is(rows.length, 1)
      t.true((await service.client.count(`select count(*) from kept where n = ${n}`)) >= 1)
    }
    const perIndex = await service.client.count('select count(*) from kept where n >= 0')
    t.is(perIndex, found.length, 'the index holds each record once')
  }
  t.true(acknowledged.size > 50)
  await service.end('SIGTERM')
})

test.serial('kill -9 amid the making and dropping of tables leaves whole tables', async (t) => {
  let service = await start()
  for (let round = 0; round < 3; round++) {
    let going = true
    const made = new Set<string>()
    const dropped = new Set<string>()
    const work = (async () => {
      for (let i = 0; going; i++) {
        const table_name = `r${round}_${i}`
        const make = await service.client
          .post('/db/other/table', { table_name, table_type: 1, key_type: 1 })
          .catch(() => undefined)
        if (make?.status === 200) made.add(table_name)
        await service.client.post(`/db/other/${table_name}/doc`, { _pk: 'k', doc: { i } }).catch(() => undefined)
        if (i % 2 === 0) continue
        const drop = await service.client.send('DELETE', `/db/other/${table_name}`).catch(() => undefined)
        if (drop?.status === 200) dropped.add(table_name)
      }
    })()
    await until('tables are made and dropped', () => dropped.size > 1 + round, 60_000)
    await sleep(10 * round)
    going = false
    await service.end('SIGKILL')
    await work
    service = await start()
    const { tables } = (await service.client.get('/db/other/list')).body
    for (const name of made)
      if (!dropped.has(name) && Number(name.split('_')[1]) % 2 === 0) t.true(tables.includes(name), name)
    for (const name of dropped) t.false(tables.includes(name), name)
    for (const name of tables) {
      await service.client.ok(service.client.post(`/db/other/${name}/doc`, { _pk: 'l', doc: {} }))
      t.true((await service.client.count(`select count(*) from other.${name}`)) >= 1)
      await service.client.ok(service.client.send('DELETE', `/db/other/${name}`))
    }
  }
  await service.end('SIGTERM')
})

test.serial('tables, records, indexes and versions are there after a clean stop', async (t) => {
  let service = await start()
  const { post } = service.client
  await service.client.ok(
    post('/db/mydb/table', { table_name: 'again', table_type: 1, key_type: 10, version_type: 1, allow_rev_idx: 1 }),
  )
  await service.client.ok(post('/db/mydb/again/index', { index_name: 'a', key_type: 1, key_size: 24 }))
  await service.client.ok(post('/db/mydb/again/doc', { _pk: 1, doc: { a: 'x', t: 'some words' } }))
  await service.client.ok(post('/db/notification/register', { notifid: 3, name: 'n' }))
  const before = (await service.client.get('/db/mydb/again')).text
  t.true((await service.end('SIGTERM')).took_ms < 10_000)
  service = await start()
  t.is((await service.client.get('/db/mydb/again')).text, before)
  await service.client.ok(service.client.post('/db/mydb/again/doc', { _pk: 1, doc: { a: 'y', t: 'other words' } }))
  t.deepEqual(await service.client.documents('select * from again where a = "y"'), [
    { _pk: 1, _v: 2, a: 'y', t: 'other words' },
  ])
  t.deepEqual(await service.client.rows('select * from again where a = "x"'), [])
  t.is((await service.client.rows('select * from reg_notif')).length, 1)
})
