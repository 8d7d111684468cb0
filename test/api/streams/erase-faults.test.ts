import test from 'ava'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { isPicked } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const clickhouse = breakableClickHouse()
const { client, close } = await startService({}, undefined, { clickhouse: clickhouse.wrap })
test.after.always(close)

const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9, stat: 'COUNT' },
]
const fqry = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 0, val: 0 }], qtype: 1 }), type: 1 }
const schema = (name: string) => ({
  schema: name,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr,
      enty: [
        {
          name: 'e',
          opid: 1,
          ratr: ['seen'],
          iatr: ['n'],
          pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
          rstm: 'people',
        },
      ],
      fltr: [{ name: 'f', fqry, fatr: ['who', 'n'], ostm: 'copies' }],
    },
    { name: 'copies', type: 2, swsz: 0, inpt: ['s'], attr },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const whose = async (stream: string) => (await client.documents(`select * from ${stream}`)).map(({ who }) => who)
const erase = (sql: string) => client.post('/db/mydb/query', { sql })
const leftOver = async () =>
  clickhouse.real().rows({
    text: "SELECT name FROM system.databases WHERE startsWith(name, 'weir_erase_')",
    params: {},
  })

/** A run breaks one statement in this many. */
const every = 3

test.serial('an erasure that fails at any statement is ended by the same one, and events go on', async (t) => {
  t.timeout(750_000)
  let failures = 0
  for (let number = 0, isOver = false; !isOver; number++) {
    const name = `f${number}`
    if (!isPicked(number, every)) continue
    await client.register(schema(name))
    await client.lines(`${name}.s`, [
      { who: 'ann', n: 1 },
      { who: 'bob', n: 2 },
      { who: 'ann', n: 3 },
    ])
    t.is(await client.count(`select count(*) from ${name}.s`), 3)
    clickhouse.failAt(number)
    const { status } = await erase(`delete from ${name}.s where who = "ann"`)
    clickhouse.failAt(Number.POSITIVE_INFINITY)
    isOver = status === 200
    if (!isOver) {
      failures++
      t.is(status, 503)
      await client.event(`${name}.s`, { who: 'cid', n: 4 })
      const { status: again, text } = await erase(`delete from ${name}.s where who = "ann"`)
      t.is(again, 200, text)
    }
    const left = isOver ? ['bob'] : ['cid', 'bob']
    t.deepEqual(await whose(`${name}.s`), left, `statement ${number}`)
    t.deepEqual(await whose(`${name}.copies`), left, `statement ${number}`)
    t.is((await client.ok(client.get(`/stream/${name}/s/count`))).count, left.length)
    const people = await client.rows(`select * from ${name}.people`)
    t.deepEqual(people[0]?.v, '{"seen":{"cnt":2}}')
    const { streams } = await client.ok(client.post('/reconcile', { schema: name }))
    t.deepEqual(
      streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
      [],
    )
    // Tables that an erasure could not take away go with the next one.
    if (isOver) await erase(`delete from ${name}.s where who = "nobody"`)
    t.deepEqual(await leftOver(), [])
    await client.ok(client.send('DELETE', `/stream/${name}`))
  }
  t.true(failures > 2, `${failures}`)
})

test.serial('an erasure whose client goes away is ended', async (t) => {
  await client.register(schema('away'))
  await client.lines(
    'away.s',
    Array.from({ length: 2_000 }, (_, n) => ({ who: 'ann', n })),
  )
  const leaving = new AbortController()
  const asked = fetch(`${client.url}/db/mydb/query`, {
    method: 'POST',
    body: JSON.stringify({ sql: 'delete from away.s where who = "ann"' }),
    signal: leaving.signal,
  })
  asked.catch(() => {})
  const { count } = await client.ok(client.get('/stream/away/s/count'))
  t.true(count >= 0)
  leaving.abort()
  const { retval } = await client.ok(erase('delete from away.s where who = "ann"'))
  t.true(retval === 0 || retval === 2_000)
  t.deepEqual(await whose('away.copies'), [])
  // The first one may still be at work.
  await until('no erasure has tables', async () => (await leftOver()).length === 0, 30_000)
})
