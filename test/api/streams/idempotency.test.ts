import test from 'ava'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DATA_DIR = temporaryFolder()
let service = await startService({ DATA_DIR })
test.after.always(() => service.close())
test.before(() =>
  service.client.register({
    schema: 'once',
    streams: [{ name: 's', type: 1, attr: [{ name: 'n', type: 9, stat: 'COUNT' }] }],
  }),
)

const post = (body: unknown, key?: string, headers = {}) =>
  service.client.post('/stream/once/s', body, { ...headers, ...(key !== undefined && { 'idempotency-key': key }) })
const ndjson = { 'content-type': 'application/x-ndjson' }
const count = () => service.client.count('select count(*) from once.s')

test.serial('a key is taken once, however many requests bear it at once, later, and after a restart', async (t) => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => post({ n: 99 }, 'at once')))
  t.is(new Set(answers.map(({ text }) => text)).size, 1)
  t.is(await count(), 1)
  const later = await post({ n: 99 }, 'at once')
  t.is(later.text, answers[0]?.text ?? '')
  await service.close()
  service = await startService({ DATA_DIR })
  t.is((await post({ n: 99 }, 'at once')).text, answers[0]?.text ?? '')
  t.is(await count(), 1)
})

test.serial('lines with an _id are taken once, within a batch, in several at once, and after a restart', async (t) => {
  const before = await count()
  const line = (id: string, n: number) => JSON.stringify({ _id: id, n })
  const text = ['a', 'b', 'a', 'c', 'b'].map(line).join('\n')
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(text, undefined, ndjson)))
  for (const { body } of answers) {
    const { repeated, ...rest } = body
    t.deepEqual(rest, { errcode: 0, accepted: 5, rejected: 0, errors: [] })
    t.true(repeated >= 2 && repeated <= 5)
  }
  t.is(
    answers.reduce((sum, { body }) => sum + body.repeated, 0),
    8 * 5 - 3,
  )
  t.is(await count(), before + 3)
  await service.close()
  service = await startService({ DATA_DIR })
  t.is((await post(text, undefined, ndjson)).body.accepted, 5)
  t.is((await post({ _id: 'a', n: 1 })).status, 200)
  t.is(await count(), before + 3)
})

test.serial('a batch under a key is taken once and its answer repeated', async (t) => {
  const before = await count()
  const text = '{"n": 1}\n{"n": "no"}\n{"n": 2}'
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(text, 'batch', ndjson)))
  t.is(new Set(answers.map(({ text: answer }) => answer)).size, 1)
  t.is(answers[0]?.body.rejected, 1)
  t.is((await post(text, 'batch', ndjson)).text, answers[0]?.text ?? '')
  t.is(await count(), before + 2)
})

test.serial(
  'a batch and an event under the same key are two, in one request, in several, and after a restart',
  async (t) => {
    const before = await count()
    const text = '{"_id": "e1", "n": 1}\n{"_id": "e2", "n": 2}'
    const accepted = { errcode: 0, accepted: 2, rejected: 0, errors: [] }
    t.deepEqual((await post(text, 'e1', ndjson)).body, accepted)
    t.is(await count(), before + 2, 'a batch called after its first event')
    t.is((await post({ n: 3 }, 'e2')).body.accepted, undefined)
    t.is(await count(), before + 2, 'the header of one event is the _id of an event')
    t.deepEqual((await post('{"n": 4}\n{"n": 5}', 'e2', ndjson)).body, accepted)
    t.is(await count(), before + 4, 'a batch called after an event that was there before')
    const event = await post({ _id: '\u0000batch:e1', n: 6 })
    t.true(Number(event.body._pk) > 0)
    await service.close()
    service = await startService({ DATA_DIR })
    t.deepEqual((await post(text, 'e1', ndjson)).body, accepted)
    t.deepEqual((await post('{"n": 4}\n{"n": 5}', 'e2', ndjson)).body, accepted)
    t.is((await post({ _id: '\u0000batch:e1', n: 6 })).text, event.text)
    t.is(await count(), before + 5)
  },
)

test.serial('an event that bears a key in the header and another as its _id is known by both', async (t) => {
  const before = await count()
  const first = await post({ _id: 'inner', n: 1 }, 'outer')
  t.is((await post({ _id: 'inner', n: 1 }, 'outer')).text, first.text)
  t.is((await post({ _id: 'inner', n: 1 })).text, first.text)
  t.is((await post('{"_id": "inner", "n": 1}', undefined, ndjson)).body.accepted, 1)
  t.is(await count(), before + 1)
})

test.serial('what was refused is not remembered', async (t) => {
  const before = await count()
  t.is((await post({ n: 'no' }, 'second try')).status, 400)
  t.is((await post('{', 'second try')).status, 400)
  t.is((await post({ n: 1 }, 'second try')).status, 200)
  t.is((await post('{"_id": "line", "n": "no"}', undefined, ndjson)).body.rejected, 1)
  t.is((await post('{"_id": "line", "n": 1}', undefined, ndjson)).body.accepted, 1)
  await service.client.ok(service.client.send('PUT', '/stream/once/s/state', { state: 0 }))
  t.is((await post({ n: 1 }, 'while off')).status, 409)
  const again = await post({ n: 1 }, 'second try')
  t.is(again.status, 200, 'what was accepted before it was turned off is answered as it was')
  await service.client.ok(service.client.send('PUT', '/stream/once/s/state', { state: 1 }))
  t.is((await post({ n: 1 }, 'while off')).status, 200)
  t.is(await count(), before + 3)
})

test.serial('OFF and ON', async (t) => {
  const { client } = service
  const state = (body: unknown) => client.send('PUT', '/stream/once/s/state', body)
  t.deepEqual((await state({ state: 1 })).body, {
    errcode: 0,
    msg: 'stream once.s is already enabled',
    error: ['stream once.s is already enabled'],
  })
  t.deepEqual((await state({ state: 0 })).body, { errcode: 0 })
  await service.close()
  service = await startService({ DATA_DIR })
  t.deepEqual((await service.client.get('/stream/once/s/state')).body, { state: 0 })
  t.is((await post({ n: 1 })).status, 409)
  t.is((await service.client.query('insert into once.s values null {"n": 1}')).status, 409)
  t.is((await service.client.query('select * from once.s')).status, 200)
  await service.client.ok(service.client.send('PUT', '/stream/once/s/state', { state: 1 }))
  t.is((await service.client.query('insert into once.s values null {"n": 1}')).text, '{"retval":0}')
})

test.serial('another body under a used key is refused and left out whole, also after a restart', async (t) => {
  const before = await count()
  const batch = '{"n": 1}\n{"n": 2}'
  const [one, many] = [await post({ n: 1 }, 'used'), await post(batch, 'used', ndjson)]
  const refuses = async () => {
    for (const answer of [
      await post({ n: 2 }, 'used'),
      await post('{"n":1} ', 'used', { 'content-type': 'application/json' }),
      await post('{"n": 1}\n{"n": 3}', 'used', ndjson),
      await post(`${batch}\n{"n": 3}`, 'used', ndjson),
    ]) {
      t.deepEqual([answer.status, answer.body.errcode], [422, -4], answer.text)
      t.regex(answer.body.error[0], /^this Idempotency-Key was used for a request with another body/)
    }
    t.is((await post({ n: 1 }, 'used')).text, one.text)
    t.is((await post(batch, 'used', ndjson)).text, many.text)
    t.is(await count(), before + 3)
  }
  await refuses()
  await service.close()
  service = await startService({ DATA_DIR })
  await refuses()
  await service.client.send('PUT', '/stream/once/s/state', { state: 0 })
  t.is((await post({ n: 2 }, 'used')).status, 422)
  t.is((await post({ n: 1 }, 'used')).text, one.text)
  await service.client.send('PUT', '/stream/once/s/state', { state: 1 })
})

test.serial('of requests with different bodies that bear one key at once one is taken', async (t) => {
  const before = await count()
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => post({ n }, 'one of ten')))
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 9 }, () => 422)])
  t.is(await count(), before + 1)
})
