/** CloudEvents that the SDK of CNCF sends to a stream, in each of its modes. */
import test from 'ava'
import { ensureSenders, importSender } from '../../../scripts/parts/senders.js'
import { startService } from '../../support/service.ts'

type Message = { readonly headers: Record<string, string>; readonly body: string }
type Sdk = {
  readonly CloudEvent: new (attributes: Record<string, unknown>) => object
  readonly HTTP: { binary(event: object): Message; structured(event: object): Message }
}

const folder = await ensureSenders()
const having = folder === undefined ? test.skip : test

having('each mode gives one event, once, with its time; a bad one is refused and listed', async (t) => {
  const { CloudEvent, HTTP } = (await importSender(folder ?? '', 'cloudevents')) as unknown as Sdk
  const { client, close } = await startService()
  t.teardown(close)
  const attr = [
    { name: 'type', type: 'STRING' },
    { name: 'data', type: 'OBJECT', fields: [{ name: 'data.n', type: 'LONG' }] },
  ]
  await client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
  const event = (id: string) =>
    new CloudEvent({ id, source: '/cars/7', type: 'moved', time: '2026-11-01T00:00:00.000Z', data: { n: 7 } })
  const send = ({ headers, body }: Message) => client.send('POST', '/stream/s/st', body, headers)
  for (const id of ['1', '1', '2']) t.is((await client.ok(send(HTTP.binary(event(id)))))._pk, 1793491200000000)
  for (const id of ['2', '3', '3']) t.is((await client.ok(send(HTTP.structured(event(id))))).errcode, 0)
  const batch = { 'content-type': 'application/cloudevents-batch+json' }
  const list = JSON.stringify(['3', '4'].map(event))
  t.like(await client.ok(client.send('POST', '/stream/s/st', list, batch)), { accepted: 2, repeated: 1, rejected: 0 })
  const { rows } = await client.ok(client.query('select * from s.st where data.n = 7'))
  const found = rows.map(({ v }: { v: string }) => JSON.parse(v))
  t.deepEqual(found.map(({ id }: { id: string }) => id).sort(), ['1', '2', '3', '4'])
  for (const each of found) t.like(each, { type: 'moved', source: '/cars/7', data: { n: 7 } })
  const wrong = await client.send('POST', '/stream/s/st', '{"specversion":"1.0"}', {
    'content-type': 'application/cloudevents+json',
  })
  t.is(wrong.status, 400)
  t.regex(wrong.body.error[0], /^id: a CloudEvent has this text/)
  const { refused } = await client.ok(client.get('/stream/s/st/refused'))
  t.is(refused[0].text, '{"specversion":"1.0"}')
})
