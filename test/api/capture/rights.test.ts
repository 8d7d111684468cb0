/** Keys of vendors' clients: where they stand, and what they may do. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const asAdmin = { 'x-api-key': ADMIN_KEY }
const attr = [{ name: 'value', type: 'DOUBLE' }]
for (const [schema, names] of [
  ['one', ['load']],
  ['two', ['load', 'other']],
] as const)
  await client.ok(
    client.post('/stream', { schema, streams: names.map((name) => ({ name, type: 1, swsz: 0, attr })) }, asAdmin),
  )

const makeKey = async (scopes: string[], on?: string[]): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'k', scopes, on }, asAdmin))).key
const ofOne = await makeKey(['ingest'], ['schema:one'])
test.after.always(close)

const write = (bucket: string, headers: Record<string, string>) =>
  client.send('POST', `/api/v2/write?bucket=${bucket}`, 'load value=1', headers)

test('a token of InfluxDB’s is a key: with ingest or write on the schema, in its own header or a usual one', async (t) => {
  const writer = await makeKey(['write'])
  for (const headers of [
    { authorization: `Token ${ofOne}` },
    { authorization: `token ${ofOne}` },
    { authorization: `Bearer ${ofOne}` },
    { 'x-api-key': ofOne },
    { authorization: `Token ${writer}` },
    { authorization: `Token ${ADMIN_KEY}` },
  ])
    t.is((await write('one', headers)).status, 204, JSON.stringify(headers))
})

test('no key, a wrong one and two are a 401; a key without the scope or the place is a 403, whether the schema is there or not', async (t) => {
  const reader = await makeKey(['read'])
  for (const [headers, bucket, status] of [
    [{}, 'one', 401],
    [{ authorization: 'Token no-key-at-all' }, 'one', 401],
    [{ authorization: `Token ${ofOne}`, 'x-api-key': reader }, 'one', 401],
    [{ authorization: `Token ${reader}` }, 'one', 403],
    [{ authorization: `Token ${ofOne}` }, 'two', 403],
    [{ authorization: `Token ${ofOne}` }, 'nothing', 403],
  ] as const) {
    const answer = await write(bucket, headers as Record<string, string>)
    t.is(answer.status, status, answer.text)
    t.is(answer.body.code, 'unauthorized')
    if (status === 401) t.is(answer.headers.get('www-authenticate'), 'Bearer')
  }
})

test('a key with ingest alone sends no point that is a year ahead', async (t) => {
  const far = `load value=1 ${(BigInt(Date.now()) + 400n * 86_400_000n) * 1_000_000n}`
  const answer = await client.send('POST', '/api/v2/write?bucket=one', far, { authorization: `Token ${ofOne}` })
  t.is(answer.status, 400)
  t.regex(answer.body.message, /more than a year ahead/)
})
