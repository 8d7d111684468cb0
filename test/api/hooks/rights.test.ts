/** The keys that make a door, and a door where there are keys. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { secrets, signed } from './signed.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }
const attr = [{ name: 'n', type: 'LONG' }]
for (const schema of ['a', 'b'])
  await client.ok(client.post('/stream', { schema, streams: [{ name: 's', type: 1, swsz: 0, attr }] }, admin))

test.after.always(close)

const keyWith = async (...scopes: string[]) => {
  const { key } = await client.ok(client.post('/keys', { name: 'k', scopes, on: ['schema:a'] }, admin))
  return { 'x-api-key': key }
}
const verify = { scheme: 'github', secret: secrets.github }
const put = (name: string, into: string, headers: Record<string, string>) =>
  client.send('PUT', `/hook/${name}`, { into, verify, id: 'id' }, headers)

test.serial('a hook takes define and a right to send events, both on the stream that it feeds', async (t) => {
  t.is((await put('h', 'a.s', await keyWith('read', 'define'))).status, 403, 'it could sign events for itself')
  t.is((await put('h', 'a.s', await keyWith('write', 'ingest'))).status, 403)
  t.is((await put('h', 'b.s', await keyWith('write', 'define'))).status, 403)
  t.is((await put('h', 'a.s', await keyWith('write', 'define'))).status, 200)
  t.is((await put('h', 'a.s', await keyWith('ingest', 'define'))).status, 200)
  await client.ok(put('of_b', 'b.s', admin))
  t.is((await put('of_b', 'a.s', await keyWith('write', 'define'))).status, 403, 'it would take the hook of another')
})

test.serial('a key sees, and deletes, the hooks of its places alone', async (t) => {
  const reader = await keyWith('read')
  const { hooks } = await client.ok(client.send('GET', '/hook', undefined, reader))
  t.deepEqual(
    hooks.map(({ name }: { name: string }) => name),
    ['h'],
  )
  t.is((await client.send('GET', '/hook/h', undefined, reader)).status, 200)
  for (const name of ['of_b', 'nobody'])
    t.is((await client.send('GET', `/hook/${name}`, undefined, reader)).status, 403)
  t.is((await client.send('DELETE', '/hook/h', undefined, reader)).status, 403)
  const definer = await keyWith('define')
  t.is((await client.send('DELETE', '/hook/of_b', undefined, definer)).status, 403)
  t.is((await client.send('GET', '/hook/nobody', undefined, admin)).status, 404)
})

test.serial('a sender needs no key, and a stranger does not learn which hooks there are by a status', async (t) => {
  const body = '{"id":1,"n":1}'
  t.is((await client.send('POST', '/hook/h', body, await signed.github(body))).status, 200)
  t.is(
    (await client.send('POST', '/hook/h', body, { ...(await signed.github(body)), authorization: 'Bearer x' })).status,
    200,
  )
  for (const name of ['h', 'nobody']) {
    const answer = await client.send('POST', `/hook/${name}`, body)
    t.is(answer.status, 401)
    t.is(answer.headers.get('www-authenticate'), 'Signature')
  }
  t.is((await client.send('GET', '/hook/h')).status, 401)
  t.is((await client.send('POST', '/hook/h/more', body)).status, 401)
  t.is((await client.send('POST', '/hook', body)).status, 401)
})
