/** Schedules of saved questions: answers that are sent, and answers that are kept. */
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { openSmtp } from '../../support/parts/smtp.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const [hook, smtp] = [await openHook(), await openSmtp()]
const { client, close } = await startService({
  NOTIFY_PRIVATE: '1',
  SMTP_URL: smtp.url,
  MAIL_FROM: 'weir@example.org',
})
const attr = [
  { name: 'country', type: 'STRING' },
  { name: 'price', type: 'DOUBLE' },
]
await client.register({ schema: 'shop', streams: [{ name: 'orders', type: 1, swsz: 0, attr }] })
for (const [country, price] of [
  ['DE', 5],
  ['DE', 7],
  ['FR', 9],
] as const)
  await client.event('shop.orders', { country, price })
await client.ok(client.post('/brs/bucket', { bucket_name: 'reports' }))
await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/answers')] }))
await client.ok(
  client.post('/db/notification/register', { notifid: 2, mailto: ['boss@example.org'], subject: 'Monday' }),
)

test.after.always(async () => {
  await close()
  hook.close()
  smtp.close()
})

const sql =
  'SELECT country, sum(price) AS total FROM shop.orders WHERE price > {least:Float64} GROUP BY country ORDER BY country'
const never = '0 0 29 2 *'
const put = (name: string, schedule: unknown) =>
  client.send('PUT', `/saved/${name}`, { sql, params: { least: { default: 0 } }, schedule })
const run = (name: string, body: object = {}) => client.ok(client.post(`/saved/${name}/run`, body))
const runs = async (name: string) => (await client.ok(client.get(`/saved/${name}/runs`))).runs
const ended = (name: string, many: number) =>
  until(`${many} runs of ${name}`, async () => (await runs(name)).length >= many)

test('an answer becomes an object of the due time, whole, in its format', async (t) => {
  await client.ok(put('kept', [{ cron: never, into: { bucket: 'reports', key: 'sales/{date}/{hour}.csv' } }]))
  await run('kept')
  await ended('kept', 1)
  const [first] = await runs('kept')
  const due = new Date(first.due / 1000).toISOString()
  t.like(first, {
    ...{ asked: true, version: 1, state: 'done' },
    key: `sales/${due.slice(0, 10)}/${due.slice(11, 13)}.csv`,
    schedule: { cron: never, tz: 'UTC', format: 'CSV' },
  })
  const { text, status } = await client.get(`/brs/reports/object/${first.key}`)
  t.is(status, 200, text)
  t.is(text, '"country","total"\n"DE",12\n"FR",9\n')
  t.is(first.bytes, text.length)
})

test('an answer goes to a webhook, with its rows and the file, for the values of the schedule', async (t) => {
  await client.ok(put('posted', [{ cron: never, notf: 1, format: 'JSONEachRow', params: { least: 6 } }]))
  await run('posted')
  await until('the send', () => hook.at('/answers').length > 0)
  const { body, headers } = hook.at('/answers')[0] ?? {}
  t.is(headers?.['webhook-id'], body.id)
  t.like(body, { saved: 'posted', version: 1, num_items: 2, notifid: 1 })
  t.deepEqual(body.rows, [
    { country: 'DE', total: 7 },
    { country: 'FR', total: 9 },
  ])
  t.like(body.file, { name: 'posted.ndjson', type: 'application/x-ndjson' })
  t.is(Buffer.from(body.file.content, 'base64').toString(), '{"country":"DE","total":7}\n{"country":"FR","total":9}\n')
})

test('an answer goes out by mail, with a table in the text and the file beside', async (t) => {
  await client.ok(put('mailed', [{ cron: never, notf: 2 }]))
  await run('mailed')
  await until('the mail', () => smtp.mails.length > 0)
  const { text = '' } = smtp.mails[0] ?? {}
  t.regex(text, /^Subject: Monday mailed, \d{4}-\d\d-\d\d \d\d:\d\d UTC/m)
  t.regex(text, /country {2}total\r\nDE {7}12\r\nFR {7}9/)
  t.regex(text, /filename=mailed\.csv/)
  t.true(text.includes(Buffer.from('"country","total"\n"DE",12\n"FR",9\n').toString('base64')))
})

test('a run whose bucket is gone is told as failed', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'passing' }))
  await client.ok(put('lost', [{ cron: never, into: { bucket: 'passing', key: 'a.csv' } }]))
  await client.ok(client.post('/brs/bucket/delete', { bucket_name: 'passing' }))
  await run('lost', { schedule: 0 })
  await ended('lost', 1)
  t.like((await runs('lost'))[0], { state: 'failed', says: 'there is no bucket passing' })
})

for (const [schedule, problem] of [
  [5, /^schedule: must be a list/],
  [[{ notf: 1 }], /^schedule\[0\]\.cron: is missing/],
  [[{ cron: '0 6 * * *' }], /^schedule\[0\]\.notf: or into says where the answer goes: one of the two$/],
  [[{ cron: '0 6 * * *', notf: 1, into: { bucket: 'reports', key: 'a' } }], /^schedule\[0\]\.notf: or into/],
  [[{ cron: '0 6 * * MN', notf: 1 }], /^schedule\[0\]\.cron: /],
  [[{ cron: '0 0 31 2 *', notf: 1 }], /^schedule\[0\]\.cron: has no time that will come$/],
  [[{ cron: '0 6 * * *', tz: 'Mars', notf: 1 }], /^schedule\[0\]\.tz: Mars is no time zone/],
  [
    [{ cron: '0 6 * * *', into: { bucket: 'reprts', key: 'a' } }],
    /^schedule\[0\]\.into\.bucket: there is no bucket reprts$/,
  ],
  [[{ cron: '0 6 * * *', into: { bucket: 'weir_udf_bucket', key: 'a' } }], /is a bucket of the service/],
  [
    [{ cron: '0 6 * * *', into: { bucket: 'reports', key: '{day}.csv' } }],
    /^schedule\[0\]\.into\.key: has \{day\}; there are \{date\}, \{hour\} and \{minute\}$/,
  ],
  [
    [{ cron: '0 6 * * *', into: { bucket: 'reports', key: '../{date}.csv' } }],
    /^schedule\[0\]\.into\.key: "\.\.\/\d{4}-\d{2}-\d{2}\.csv" cannot be an object's key: it has a segment/,
  ],
  [[{ cron: '0 6 * *', notf: 1 }], /^schedule\[0\]\.cron: has 4 fields, and crontab has five/],
  [[{ cron: '0 6 * * *', notf: 1, params: { lest: 1 } }], /lest is no parameter; did you mean least\?$/],
  [[{ cron: '0 6 * * *', notf: 1, params: { least: 'x' } }], /least must be a number$/],
  [[{ cron: '0 6 * * *', notf: 1, every: 5 }], /^schedule\[0\]\.every: is unknown/],
  [
    [
      { cron: '0 6 * * *', notf: 1 },
      { cron: '0 6 * * *', notf: 1 },
    ],
    /^schedule: has one entry twice$/,
  ],
] as const)
  test(`the schedule ${JSON.stringify(schedule)} is refused`, async (t) => {
    const { status, body } = await put('refused', schedule)
    t.is(status, 400, JSON.stringify(body))
    t.true(
      body.error.some((each: string) => problem.test(each)),
      JSON.stringify(body.error),
    )
  })

test('a question without a schedule has nothing to run, and a place that is not there is refused', async (t) => {
  await client.ok(put('unscheduled', []))
  t.is((await client.post('/saved/unscheduled/run', {})).status, 409)
  t.deepEqual(await runs('unscheduled'), [])
  await client.ok(put('one', [{ cron: never, notf: 1 }]))
  t.regex((await client.post('/saved/one/run', { schedule: 3 })).body.error[0], /there is no 3$/)
  t.regex((await client.post('/saved/one/run', { schedul: 0 })).body.error[0], /^schedul: is unknown/)
  t.deepEqual(await runs('one'), [])
  t.like(await client.ok(client.get('/saved/one')), { schedule: [{ cron: never, tz: 'UTC', format: 'CSV', notf: 1 }] })
})
