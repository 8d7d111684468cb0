import test from 'ava'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const stream = (more: Record<string, unknown> = {}) => ({
  name: 'visits',
  type: 1,
  swsz: 0,
  attr: [{ name: 'price', type: 'DOUBLE', stat: 'RSTAT' }],
  ...more,
})
const filter = (more: Record<string, unknown>) => ({
  name: 'dear',
  fqry: { name: '{"query":[{"key":"price","cmp_op":0,"val":100}],"qtype":1}', type: 1 },
  ...more,
})
const gropby = [{ gpat: ['price'], iatr: 'price', stat: 1 }]
const unknownGropby = 'streams[0].gropby is unknown and does nothing; did you mean gpby?'

test('a schema with an unknown member is registered, told so, and shown as it was written', async (t) => {
  const schema = { schema: 'told', streams: [stream({ gropby })], colour: 'red' }
  const answer = await client.post('/stream', schema)
  t.is(answer.status, 200)
  t.deepEqual(answer.body, {
    errcode: 0,
    error: ['colour is unknown and does nothing; known are schema, streams, notifs, udfs, cvar', unknownGropby],
  })
  t.deepEqual((await client.get('/stream/told/schema')).body, schema)

  const again = await client.post('/stream', schema)
  t.is(again.body.msg, 'schema told is registered already')
  t.deepEqual(again.body.error.slice(0, 1), [again.body.msg])
  t.true(again.body.error.includes(unknownGropby))
})

test('?strict=1 refuses an unknown member by any way in, and nothing is kept', async (t) => {
  const refused = await client.post('/stream?strict=1', { schema: 'strict', streams: [stream({ gropby })] })
  t.deepEqual([refused.status, refused.body], [400, { errcode: -1, error: [unknownGropby] }])
  t.is((await client.get('/stream/strict/schema')).status, 404)

  await client.ok(client.post('/stream?strict=1', { schema: 'strict', streams: [stream()] }))
  const replaced = await client.send('PUT', '/stream?strict=1', { schema: 'strict', streams: [stream({ gropby })] })
  t.deepEqual([replaced.status, replaced.body.error], [400, [unknownGropby]])
  const added = await client.send('PUT', '/stream/strict?strict=1', {
    streams: [stream({ name: 'more', gropby })],
    colour: 1,
  })
  t.is(added.status, 400)
  t.deepEqual(added.body.error, [
    'colour is unknown and does nothing; known are schema, streams, notifs',
    unknownGropby,
  ])
  t.deepEqual((await client.get('/stream/strict/schema')).body.streams, [stream()])

  const templates = [{ notifid: 41, name: 'n', threshold: 10 }]
  const brought = await client.post('/stream?strict=1', { schema: 'brings', streams: [stream()], notifs: templates })
  t.is(brought.status, 400)
  t.regex(brought.body.error[0], /^notifs\[0\]\.threshold is unknown/)
  t.is((await client.get('/stream/brings/schema')).status, 404)
  t.is((await client.post('/db/notification/register?strict=1', templates[0])).status, 400)
  t.deepEqual(await client.rows('select * from reg_notif where notifid = 41'), [])
})

test('streams that are added are told by their place in the request', async (t) => {
  await client.register({ schema: 'adds', streams: [stream({ gropby }), stream({ name: 'two' })] })
  const { body } = await client.send('PUT', '/stream/adds', {
    schema: 'adds',
    streams: [stream({ name: 'three', gropby })],
  })
  t.deepEqual(body, { errcode: 0, error: [unknownGropby] })
})

test('a stream without swsz is told how long its events stay, when it comes and when the swsz goes', async (t) => {
  const kept = (place: string, name: string) =>
    `${place} has no swsz: stream ${name} keeps events for 86400 s; swsz 0 keeps them for ever`
  const { swsz: _, ...silent } = stream()
  const entity = {
    name: 'people',
    type: 4,
    attr: [
      { name: 'price', type: 11, pk: 1 },
      { name: 'n', type: 9 },
    ],
  }
  const enty = [{ opid: 1, ratr: ['n'], iatr: ['price'], rstm: 'people' }]
  const first = { schema: 'stays', streams: [{ ...silent, enty }, entity] }
  t.deepEqual((await client.post('/stream', first)).body, { errcode: 0, error: [kept('streams[0]', 'visits')] })

  const put = async (streams: unknown[], path = '/stream') =>
    (await client.ok(client.send('PUT', path, { schema: 'stays', streams }))).error
  const second = { ...silent, name: 'second' }
  t.deepEqual(await put([{ ...silent, enty }, entity, second]), [kept('streams[2]', 'second')])
  t.deepEqual(await put([{ ...silent, name: 'third' }], '/stream/stays'), [kept('streams[0]', 'third')])
  const streams = [{ ...silent, swsz: 86_400, enty }, entity, second, { ...silent, name: 'third' }]
  t.is(await put(streams), undefined)
  t.deepEqual(await put([{ ...silent, enty }, ...streams.slice(1)]), [kept('streams[0]', 'visits')])
})

test('a notification and a model that a schema names and that are not there are told', async (t) => {
  const catr = [{ name: 'buys', type: 5, opnm: 'PRED', model: 'kinds', algo: 'SVM', attr_type: 'NUM', iatr: ['price'] }]
  const fltr = [filter({ notf: 51 }), filter({ name: 'other', notf: 52 })]
  await client.ok(client.post('/db/notification/register', { notifid: 51, name: 'known' }))
  const { body } = await client.post('/stream', { schema: 'names', streams: [stream({ catr, fltr })] })
  t.deepEqual(body.error, [
    'streams[0].catr[0].model is model kinds of schema names, which is not trained yet: buys stays missing until it is',
    'streams[0].fltr[1].notf is notification 52, which is not registered yet: events that pass make nothing until it is',
  ])
  const added = { schema: 'names', streams: [{ ...stream({ catr }), name: 'more' }] }
  t.deepEqual((await client.send('PUT', '/stream/names', added)).body.error, [
    'streams[0].catr[0].model is model kinds of schema names, which is not trained yet: buys stays missing until it is',
  ])
  const brings = { schema: 'names2', streams: [stream({ fltr })], notifs: [{ notifid: 52, name: 'brought' }] }
  t.is((await client.post('/stream', brings)).body.error, undefined)
})

test('an attribute that an edit drops is told what becomes of its values', async (t) => {
  const attr = [
    { name: 'price', type: 'DOUBLE', stat: 'RSTAT' },
    { name: 'note', type: 'STRING' },
  ]
  await client.register({ schema: 'drops', streams: [stream({ attr })] })
  await client.event('drops.visits', { price: 5, note: 'n' })
  const { body } = await client.send('PUT', '/stream', { schema: 'drops', streams: [stream({ attr: [] })] })
  const values = 'is no longer declared: its values come back with their events as undeclared members'
  t.deepEqual(body.error, [`attribute visits.price ${values}; its statistics go`, `attribute visits.note ${values}`])
  t.like((await client.documents('select * from drops.visits'))[0], { price: 5, note: 'n' })
})

test('what a notification has that does nothing is told, and what is unknown is kept', async (t) => {
  const template = {
    notifid: 61,
    name: 'n',
    rule: 'count > 10 in 5m',
    subject: 'seen {{count}} times',
    mailto: ['a@example.org'],
    threshold: 9007199254740993n,
    id: 'mine',
  }
  const { body } = await client.post('/db/notification/register', template)
  t.is(body.msg, 'notification 61 is registered')
  t.deepEqual(body.error, [
    'threshold is unknown and does nothing; known are notifid, name, rule, subject, msg, freq, pri, mailto, endpoints, tags and 2 more',
    'id is unknown and does nothing; known are notifid, name, rule, subject, msg, freq, pri, mailto, endpoints, tags and 2 more',
    'rule is kept and shown, and does nothing: filters with this notifid as their notf make the matches',
    'subject is sent as it stands: {{count}} is not filled in, the payload of a send has the values',
    'mailto gets no mail, since SMTP_URL and MAIL_FROM are not set',
  ])
  const [kept] = await client.documents('select * from reg_notif where notifid = 61')
  t.like(kept, { threshold: 9007199254740993n, id: 'mine', rule: template.rule })
})

test('a training request with unknown members is scheduled and told; ?strict=1 refuses it', async (t) => {
  const request = {
    'schema-name': 'told',
    model_name: 'm',
    algo_type: 'LIN',
    atr_type: 'NUM',
    attr_list: [
      { name: 'price', position: 0, limitt: 1 },
      { name: 'n', position: 1 },
    ],
    training_details: { training_source_type: 1, training_source: 'f', input_format: 'CSV', target_idx: 1, heder: 1 },
  }
  const refused = await client.post('/ml/train?strict=1', request)
  t.deepEqual([refused.status, refused.body.error.length], [400, 3])
  t.is((await client.get('/ml/told/count')).body.count, 0)
  const { status, body } = await client.post('/ml/train', request)
  t.is(status, 200)
  t.deepEqual(body.error.map((note: string) => note.split(' is ')[0]).toSorted(), [
    'atr_type',
    'attr_list[0].limitt',
    'training_details.heder',
  ])
  t.like((await client.get('/ml/told/m/request')).body, { atr_type: 'NUM' })
})

test('a success that has something to say has it in msg', async (t) => {
  await client.register({ schema: 'says', streams: [stream()] })
  const on = await client.send('PUT', '/stream/says/visits/state', { state: 1 })
  t.deepEqual(on.body, { errcode: 0, msg: on.body.error[0], error: ['stream says.visits is already enabled'] })
  const rebuilt = await client.send('POST', '/stream/says/visits/rebuild')
  t.deepEqual(rebuilt.body, {
    errcode: 0,
    msg: 'rebuild of says.visits has begun; GET /stream/says/info tells how far it is',
    error: [rebuilt.body.msg],
  })
})
