import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ MAX_QUERIES: '1' })
const { client, url } = service
test.after.always(() => service.close())

const follow = (sql: string) =>
  openEventStream(url, '/db/mydb/query', {
    method: 'POST',
    body: JSON.stringify({ sql }),
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  })
const attr = [
  { name: 'page', type: 'STRING' },
  { name: 'n', type: 'LONG', stat: ['RSTAT', 'QUANTILES', 'LAST', 'FIRST', 'TOPK'], gran: 86_400 },
]
const gpby = [{ gpat: ['page'], iatr: 'n', stat: ['COUNT', 'LAST', 'TOPK'], k: 2, gran: 86_400 }]
const register = (schema: string) =>
  client.register({
    schema,
    streams: [
      {
        name: 'clicks',
        type: 1,
        swsz: 0,
        attr,
        gpby,
        enty: [
          {
            name: 'e',
            opid: ['COUNT', 'QUANTILES', 'FIRST', 'TOPK'],
            iatr: ['n'],
            ratr: ['seen'],
            pkatr: [{ name: 'page', type: 5, iatr: ['page'] }],
            rstm: 'pages',
          },
        ],
      },
      { name: 'pages', type: 4, inpt: ['clicks'], attr: [] },
    ],
  })

test('each form of query is answered, and again when its answer has changed', async (t) => {
  await register('ans1')
  await client.ok(client.post('/db/mydb/table', { table_name: 'prices', table_type: 1, key_type: 1 }))
  const selects = [
    'select count(*) from ans1.clicks',
    'select aggr(n) from ans1.clicks rollup 1',
    'select aggr(n) from ans1.clicks groupby page',
    'select * from ans1.pages',
    'select * from ans1.clicks where n > 0',
    'select count(*) from prices',
    'select * from prices',
  ]
  const plain = async (sql: string) => JSON.parse((await client.query(sql)).text)
  const streams = await Promise.all(selects.map(follow))
  t.true(
    streams.every(
      ({ status, headers }) => status === 200 && String(headers['content-type']).startsWith('text/event-stream'),
    ),
  )
  await Promise.all(streams.map((each) => each.until('the first answer', 1, 'answer')))
  await client.event('ans1.clicks', { n: 7, page: 'a' })
  await client.ok(client.post('/db/mydb/prices/doc', { _pk: 'a', doc: { price: 1 } }))
  await Promise.all(streams.map((each) => each.until('the answer of after', 2, 'answer')))
  const same = (answer: { rows?: { k: unknown }[]; sec_buf?: string }) => {
    const { sec_buf, ...members } = answer
    return { ...members, ...(answer.rows && { rows: answer.rows.map(({ k, ...row }) => row) }) }
  }
  for (const [index, sql] of selects.entries()) {
    t.deepEqual(same(streams[index]?.data('answer').at(-1)), same(await plain(sql)), sql)
  }
  // The time of a question and a cursor are no change: a second event makes the third answer.
  const counted = streams[0]
  await client.event('ans1.clicks', { n: 7, page: 'a' })
  await Promise.all(streams.slice(0, 5).map((each) => each.until('the third answer', 3, 'answer')))
  t.deepEqual(
    streams.map((each) => each.named('answer').length),
    [3, 3, 3, 3, 3, 2, 2],
  )
  t.deepEqual(
    counted?.data('answer').map(({ retval }) => retval),
    [0, 1, 2],
  )
  for (const each of streams) each.close()
})

test('an answer is followed by GET, too, as EventSource sends it', async (t) => {
  await register('ans_get')
  const path = `/db/mydb/query/live?sql=${encodeURIComponent('select count(*) from ans_get.clicks')}`
  const stream = await openEventStream(url, path, { headers: { accept: 'text/event-stream' } })
  t.is(stream.status, 200)
  await stream.until('the answer', 1, 'answer')
  await client.event('ans_get.clicks', { page: 'a', n: 1 })
  await stream.until('the answer after an event', 2, 'answer')
  t.deepEqual(stream.data('answer'), [{ retval: 0 }, { retval: 1 }])
  stream.close()
  const refused = async (where: string, accept: string, reason: RegExp) => {
    const answer = await client.send('GET', where, undefined, { accept })
    t.is(answer.status, 400)
    t.regex(answer.body.error[0], reason)
  }
  await refused('/db/mydb/query/live', 'text/event-stream', /^GET follows/)
  await refused(
    '/db/mydb/query/live?sql=delete%20from%20ans_get.clicks',
    'text/event-stream',
    /delete changes something/,
  )
  const sql = await client.post('/sql', { sql: 'SELECT 1' }, { accept: 'text/event-stream' })
  t.is(sql.status, 400)
  t.regex(sql.body.error[0], /GET \/db\/D\/query\/live follows/)
})

test('a refusal before the stream is that of the call; one amid it is its last event', async (t) => {
  await register('ans2')
  const ask = (sql: string) =>
    client.post('/db/mydb/query', JSON.stringify({ sql }), { accept: 'application/json, text/event-stream;q=0.9' })
  for (const [sql, status, problem] of [
    ['select * from', 400, /line 1/],
    ['select count(*) from ans2.none', 404, /no stream "none"/],
    ['delete from ans2.clicks where n = 1', 400, /delete changes something, and cannot be followed/],
    ['insert into ans2.clicks values null {"n":1}', 400, /insert changes something, and cannot be followed/],
  ] as const) {
    const answer = await ask(sql)
    t.is(answer.status, status, answer.text)
    t.regex(answer.body.error[0], problem)
  }
  t.is(await client.count('select count(*) from ans2.clicks'), 0)
  const stream = await follow('select count(*) from ans2.clicks')
  await stream.until('the answer', 1, 'answer')
  await client.ok(client.send('DELETE', '/stream/ans2'))
  await stream.ended()
  t.like(stream.data('error')[0], { errcode: -3 })
  t.regex(stream.data('error')[0].error[0], /no schema "ans2"/)
  t.is(stream.blocks.at(-1)?.event, 'error')
})

test('a followed query has a place among MAX_QUERIES only while it is asked', async (t) => {
  await register('ans3')
  const streams = await Promise.all(Array.from({ length: 12 }, () => follow('select count(*) from ans3.clicks')))
  await Promise.all(streams.map((each) => each.until('the answer', 1, 'answer')))
  t.is(await client.count('select count(*) from ans3.clicks'), 0)
  await client.event('ans3.clicks', { n: 1 })
  await Promise.all(streams.map((each) => each.until('the next answer', 2, 'answer')))
  for (const each of streams) each.close()
})
