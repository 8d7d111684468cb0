/** Watches of saved questions: alerts that fire, stay and resolve, and what their receivers get. */
import { createHmac } from 'node:crypto'
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const hook = await openHook()
const { client, close } = await startService({ NOTIFY_PRIVATE: '1' })
const attr = [
  { name: 'page', type: 'STRING' },
  { name: 'ms', type: 'DOUBLE' },
]
const streams = ['loads', 'silent', 'gone', 'broken', 'manager'].map((name) => ({ name, type: 1, swsz: 0, attr }))
await client.register({ schema: 'web', streams })
const secrets = new Map<number, string>()
for (const notifid of [1, 2, 3, 4, 5]) {
  const { secret } = await client.ok(
    client.post('/db/notification/register', {
      notifid,
      name: `n${notifid}`,
      endpoints: [hook.url(`/${notifid}`)],
      freq: 60,
    }),
  )
  secrets.set(notifid, secret)
}

test.after.always(async () => {
  await close()
  hook.close()
})

const put = (name: string, question: unknown) => client.send('PUT', `/saved/${name}`, question)
const slow = (stream: string, watch: object) => ({
  sql: `SELECT page, argMax(ms, _pk) AS last FROM web.${stream} GROUP BY page ORDER BY page`,
  watch: { every: 1, when: 'last > 800', key: ['page'], ...watch },
})
const state = async (name: string) => client.ok(client.get(`/saved/${name}/state`))
const sentTo = (notifid: number) => {
  const byId = new Map(hook.at(`/${notifid}`).map((each) => [each.headers['webhook-id'], each]))
  return [...byId.values()]
}
async function sends(notifid: number, many: number) {
  await until(`${many} sends of ${notifid}`, () => sentTo(notifid).length >= many)
  return sentTo(notifid)
}

test('an alert fires on a webhook and resolves there, once each, with its key, its value and its row', async (t) => {
  const { error } = await client.ok(put('slow', slow('loads', { notf: 1, labels: { team: 'shop' } })))
  t.is(error, undefined)
  await client.event('web.loads', { page: 'home', ms: 900 })
  await client.event('web.loads', { page: 'shoes', ms: 100 })
  const [fired] = await sends(1, 1)
  const { id, ts, since, at, ...body } = fired?.body ?? {}
  const row = { page: 'home', last: 900 }
  t.deepEqual(body, {
    notifid: 1,
    name: 'n1',
    saved: 'slow',
    version: 1,
    state: 'firing',
    about: 'key',
    value: 900,
    key: { page: 'home' },
    labels: { team: 'shop' },
    rows: [row],
  })
  t.is(since % 1_000_000, 0)
  t.is(at % 1_000_000, 0)
  t.is(fired?.headers['webhook-id'], id)
  const timestamp = String(fired?.headers['webhook-timestamp'])
  const key = Buffer.from((secrets.get(1) ?? '').replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${fired?.text}`).digest('base64')
  t.is(fired?.headers['webhook-signature'], `v1,${mac}`)
  const now = await state('slow')
  t.like(now.alerts[0], { about: 'key', key: { page: 'home' }, state: 'firing', value: 900, since })
  t.is(now.num_alerts, 1)
  await client.event('web.loads', { page: 'home', ms: 10 })
  const [, resolved] = await sends(1, 2)
  t.like(resolved?.body, { state: 'resolved', key: { page: 'home' }, since, value: 900 })
  t.true(resolved?.body.ended > since)
  const { changes } = await state('slow')
  t.deepEqual(
    changes.map((each: { state: string; key: object }) => [each.state, each.key]),
    [
      ['resolved', { page: 'home' }],
      ['firing', { page: 'home' }],
    ],
  )
  t.true(ts > 0)
})

test('a silenced alert is not sent, and is sent once the silence is ended', async (t) => {
  await client.ok(put('hushed', slow('silent', { notf: 2 })))
  const silence = (wire: object) => client.send('PUT', '/saved/hushed/silence', wire)
  const day = new Date(Date.now() + 86_400_000).toISOString()
  await client.ok(silence({ until: day, key: { page: 'home' }, why: 'known' }))
  t.like((await state('hushed')).silences[0], { key: { page: 'home' }, why: 'known' })
  await client.event('web.silent', { page: 'home', ms: 900 })
  await client.event('web.silent', { page: 'shoes', ms: 900 })
  const [other] = await sends(2, 1)
  t.deepEqual(other?.body.key, { page: 'shoes' })
  await until('it fires', async () => (await state('hushed')).num_alerts === 2)
  t.is(sentTo(2).length, 1)
  const { msg } = await client.ok(silence({ until: '2026-01-01T00:00:00Z', key: { page: 'home' }, why: 'mended' }))
  t.is(msg, 'a silence of hushed where {"page":"home"} has ended')
  t.deepEqual((await state('hushed')).silences, [])
  const [, later] = await sends(2, 2)
  t.deepEqual([later?.body.state, later?.body.key], ['firing', { page: 'home' }])
  for (const [wire, problem] of [
    [{ until: 5, why: 'x' }, /^until: is in microseconds since 1970$/],
    [{ until: 1795334472, why: 'x' }, /^until: .* looks like seconds$/],
    [{ until: 'tomorrow', why: 'x' }, /^until: must be a time such as/],
    [{ until: day }, /^why: must be a text/],
    [{ until: day, why: 'x', key: { pge: 'a' } }, /^key: pge is no column of the watch's key; did you mean page\?$/],
    [{ until: day, why: 'x', key: { page: ['a', 'b'] } }, /^key: page must be one value: a silence for each$/],
    [{ until: day, why: 'x', keys: {} }, /^keys: is unknown; did you mean key\?$/],
  ] as const) {
    const { status, body } = await silence(wire)
    t.is(status, 400)
    t.regex(body.error[0], problem)
  }
})

test('a silence of the same values takes the place of the one before, in any order, and of a number as a text', async (t) => {
  const sql = 'SELECT page, 5 AS n, max(ms) AS worst FROM web.silent GROUP BY page'
  await client.ok(put('twice', { sql, watch: { every: 86_400, when: 'worst > 1', key: ['page', 'n'] } }))
  const day = new Date(Date.now() + 86_400_000).toISOString()
  const silence = (until: string, key: string, why: string) =>
    client.ok(client.send('PUT', '/saved/twice/silence', `{"until":"${until}","key":${key},"why":"${why}"}`))
  const kept = async () =>
    (await state('twice')).silences.map(({ key, why }: { key: object; why: string }) => [JSON.stringify(key), why])
  await silence(day, '{"page":"home","n":5}', 'one')
  await silence(day, '{"n":"5","page":"home"}', 'two')
  t.deepEqual(await kept(), [['{"page":"home","n":"5"}', 'two']])
  await silence(day, '{"n":5}', 'all')
  t.deepEqual((await kept()).length, 2)
  await silence('2026-01-01T00:00:00Z', '{"n":5,"page":"home"}', 'mended')
  t.deepEqual(await kept(), [['{"n":5}', 'all']])
})

test('who knows of an alert is told when its question goes', async (t) => {
  await client.ok(put('passing', slow('gone', { notf: 3 })))
  await client.event('web.gone', { page: 'home', ms: 900 })
  await sends(3, 1)
  await client.ok(client.send('DELETE', '/saved/passing'))
  const [, last] = await sends(3, 2)
  t.like(last?.body, { state: 'resolved', saved: 'passing', key: { page: 'home' } })
  t.is((await client.get('/saved/passing/state')).status, 404)
})

test('a question that fails is told once, and nothing resolves meanwhile', async (t) => {
  const question = slow('broken', { notf: 4 })
  await client.ok(put('broken', question))
  await client.event('web.broken', { page: 'home', ms: 900 })
  await sends(4, 1)
  // Two rows of one key: the question is another one from now on.
  await client.ok(put('broken', { ...question, sql: 'SELECT page, ms AS last FROM web.broken' }))
  await client.event('web.broken', { page: 'home', ms: 901 })
  const [, failure] = await sends(4, 2)
  t.like(failure?.body, { state: 'firing', about: 'error', key: {} })
  t.regex(failure?.body.error, /two rows of the key \{"page":"home"\}/)
  const { at } = await state('broken')
  await until('two more evaluations', async () => (await state('broken')).at >= at + 2_000_000)
  const during = await state('broken')
  t.regex(during.problem.says, /two rows/)
  t.deepEqual(during.alerts.map((each: { about: string; state: string }) => [each.about, each.state]).toSorted(), [
    ['error', 'firing'],
    ['key', 'firing'],
  ])
  t.is(sentTo(4).length, 2)
  await client.ok(put('broken', question))
  const [, , mended] = await sends(4, 3)
  t.like(mended?.body, { state: 'resolved', about: 'error' })
  t.is((await state('broken')).problem, undefined)
})

test('with `format: alertmanager` the body is the one of Alertmanager', async (t) => {
  await client.ok(put('managed', slow('manager', { notf: 5, format: 'alertmanager', labels: { team: 'shop' } })))
  await client.event('web.manager', { page: 'home', ms: 900 })
  const [fired] = await sends(5, 1)
  const { alerts, ...body } = fired?.body ?? {}
  const labels = { alertname: 'managed', page: 'home', team: 'shop' }
  t.deepEqual(body, {
    version: '4',
    groupKey: '{}:{alertname="managed"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'weir',
    groupLabels: { alertname: 'managed' },
    commonLabels: labels,
    commonAnnotations: { value: '900' },
    externalURL: '',
  })
  const [{ startsAt, fingerprint, ...alert }] = alerts
  t.deepEqual(alert, {
    status: 'firing',
    labels,
    annotations: { value: '900' },
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: '/saved/managed',
  })
  t.regex(startsAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  t.regex(fingerprint, /^[0-9a-f]{16}$/)
  await client.event('web.manager', { page: 'home', ms: 1 })
  const [, resolved] = await sends(5, 2)
  t.is(resolved?.body.status, 'resolved')
  t.is(resolved?.body.alerts[0].fingerprint, fingerprint)
  t.true(resolved?.body.alerts[0].endsAt > startsAt)
})

test('a watch that cannot be kept is refused when it is saved, with all that is wrong', async (t) => {
  const { sql } = slow('loads', {})
  for (const [watch, problems] of [
    [{}, [/^watch\.when: is missing/]],
    [5, [/^watch: must be an object/]],
    [{ when: '' }, [/^watch\.when: must not be empty$/]],
    [{ when: 'last >' }, [/^watch\.when: line 1, column 7: expected a value/]],
    [{ when: 'lst > 1' }, [/^watch\.when: the answer has no column lst; did you mean last\?$/]],
    [{ when: 'last > avg(orders.price, 5m)' }, [/^watch\.when: compares columns of the answer/]],
    [{ when: 'last > 1', key: ['pge'] }, [/^watch\.key: the answer has no column pge; did you mean page\?$/]],
    [{ when: 'last > 1', key: ['page', 'page'] }, [/^watch\.key: names a column twice$/]],
    [{ when: 'last > 1', key: [] }, [/^watch\.key: must be a list of columns/]],
    [{ when: 'last > 1', every: 0, for: -1, again: 0 }, [/^watch\.every: /, /^watch\.for: /, /^watch\.again: /]],
    [{ when: 'last > 1', no_rows: 'resolve' }, [/^watch\.no_rows: must be resolved, alert or keep$/]],
    [{ when: 'last > 1', evry: 5 }, [/^watch\.evry: is unknown; did you mean every\?$/]],
    [{ when: 'last > 1', labels: { a: 1 } }, [/^watch\.labels: a must be a text/]],
  ] as const) {
    const { status, body } = await put('refused', { sql, watch })
    t.is(status, 400, JSON.stringify(watch))
    t.is(body.error.length, problems.length, JSON.stringify(body.error))
    problems.forEach((problem, n) => {
      t.regex(body.error[n], problem)
    })
  }
  const open = { sql: 'SELECT {a:Int64} AS a', watch: { when: 'a > 1' } }
  t.regex(
    (await put('refused', open)).body.error[0],
    /^watch: asks with the defaults of all parameters, and a has none$/,
  )
  const noted = await client.ok(client.send('PUT', '/saved/refused?dry=1', { sql, watch: { when: 'last > 1' } }))
  t.regex(noted.error[0], /nothing is sent/)
  const absent = await client.ok(
    client.send('PUT', '/saved/refused?dry=1', { sql, watch: { when: 'last > 1', notf: 99 } }),
  )
  t.regex(absent.error[0], /there is no notification 99 yet/)
})

test('a question without a watch has no states', async (t) => {
  await client.ok(put('plain', { sql: 'SELECT 1 AS one' }))
  const { status, body } = await client.get('/saved/plain/state')
  t.is(status, 409)
  t.regex(body.error[0], /^plain has no watch: PUT \/saved\/plain with "watch" makes one$/)
})

test('the list tells the worst state of each watch and the next time of each schedule, page by page', async (t) => {
  const sql = "SELECT 1 AS n, 'firing' AS state"
  const fires = { sql, watch: { every: 1, when: 'n > 0', key: ['state'], for: 0 } }
  const schedule = [
    { cron: '0 6 * * MON', tz: 'Europe/Berlin', notf: 1 },
    { cron: '30 * * * *', notf: 1 },
  ]
  await client.ok(put('told_firing', fires))
  await client.ok(put('told_pending', { ...fires, watch: { ...fires.watch, for: 100_000 } }))
  await client.ok(put('told_quiet', { ...fires, watch: { ...fires.watch, when: 'n > 1' } }))
  await client.ok(
    put('told_broken', {
      ...fires,
      sql: 'SELECT 1 AS n, toString(1) AS state UNION ALL SELECT 1, toString(1)',
      watch: { ...fires.watch, error: 'keep' },
    }),
  )
  const { due_times: dry } = await client.ok(client.send('PUT', '/saved/told_times?dry=1', { sql, schedule }))
  await client.ok(put('told_times', { sql, schedule }))
  type Listed = { readonly name: string; readonly state?: string; readonly next_due?: number }
  const states = async () => {
    const found: Listed[] = []
    for (let cursor = ''; ; ) {
      const page = await client.ok(client.get(`/saved?details=1&limit=2${cursor && `&cursor=${cursor}`}`))
      t.true(page.saved.length <= 2)
      found.push(...page.saved)
      if (page.cursor === undefined) return found.filter(({ name }) => name.startsWith('told_'))
      cursor = page.cursor
    }
  }
  const wanted = [
    'told_broken failing',
    'told_firing firing',
    'told_pending pending',
    'told_quiet inactive',
    'told_times -',
  ]
  const line = ({ name, state: worst = '-' }: Listed) => `${name} ${worst}`
  await until('all states', async () => (await states()).map(line).join() === wanted.join())
  const { due_times: times } = await client.ok(client.get('/saved/told_times'))
  const [monday, hourly] = times as readonly (readonly number[])[]
  t.deepEqual(dry.length, 2)
  t.is(monday?.length, 3)
  for (const time of monday ?? []) {
    const text = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
    t.is(text.format(time / 1000), 'Mon 06:00')
  }
  const { next_due: next } = (await states()).find(({ name }) => name === 'told_times') ?? {}
  t.true(next !== undefined && (next === hourly?.[0] || next === hourly?.[1] || next === monday?.[0]), String(next))
  t.is(await client.ok(client.get('/saved')).then(({ saved: [first] }: { saved: Listed[] }) => first?.state), undefined)
  t.is((await client.get('/saved?details=yes')).status, 400)
})
