/** The keys that may bring files to a stream, and see what was brought. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }
const attr = [{ name: 'n', type: 'LONG' }]
for (const schema of ['a', 'b'])
  await client.ok(client.post('/stream', { schema, streams: [{ name: 's', type: 1, swsz: 0, attr }] }, admin))
for (const bucket_name of ['mine', 'theirs']) await client.ok(client.post('/brs/bucket', { bucket_name }, admin))
await client.ok(client.post('/brs/bucket', { bucket_name: 'locked', access_key: 'k', secret_key: 'secret' }, admin))
const opened = { 'x-access-key': 'k', 'x-secret-key': 'secret' }
for (const bucket of ['mine', 'theirs', 'locked'])
  await client.ok(client.send('PUT', `/brs/${bucket}/object/f`, Buffer.from('{"n":1}\n'), { ...admin, ...opened }))

test.after.always(close)

const keyWith = async (scopes: string[], on: string[] = ['schema:a', 'bucket:mine']) => {
  const { key } = await client.ok(client.post('/keys', { name: 'k', scopes, on }, admin))
  return { 'x-api-key': key }
}
const start = (bucket: string, into: string, headers: Record<string, string>, id?: string) =>
  client.send('POST', '/import?wait=30', { id, from: { bucket, key: 'f' }, format: 'NDJSON', into }, headers)

test.serial('an import takes read on its bucket, and write or ingest on its stream', async (t) => {
  t.is((await start('mine', 'a.s', await keyWith(['read']))).status, 403)
  t.is((await start('mine', 'a.s', await keyWith(['write']))).status, 403)
  t.is((await start('mine', 'a.s', await keyWith(['read', 'define']))).status, 403)
  const both = await keyWith(['read', 'ingest'])
  t.is((await start('theirs', 'a.s', both)).status, 403)
  t.is((await start('mine', 'b.s', both)).status, 403)
  t.is((await start('mine', 'a.s', both, 'of_a')).status, 200)
  t.is((await start('mine', 'a.s', await keyWith(['read', 'write']))).status, 200)
  t.is((await start('weir_models', 'a.s', admin)).status, 404, 'no client reaches the bucket of the service')
})

test.serial('a bucket with keys takes them as headers', async (t) => {
  t.is((await start('locked', 'a.s', admin)).status, 403)
  t.is((await start('locked', 'a.s', { ...admin, ...opened })).status, 200)
})

test.serial('a key sees, and ends, the imports of its places alone', async (t) => {
  t.is((await start('mine', 'b.s', admin, 'of_b')).status, 200)
  const reader = await keyWith(['read'])
  const { imports } = await client.ok(client.send('GET', '/import', undefined, reader))
  t.true(imports.length > 0)
  t.true(imports.every(({ into }: { into: string }) => into === 'a.s'))
  t.is((await client.send('GET', '/import/of_a', undefined, reader)).status, 200)
  for (const id of ['of_b', 'nobody']) t.is((await client.send('GET', `/import/${id}`, undefined, reader)).status, 403)
  t.is((await client.send('DELETE', '/import/of_a', undefined, reader)).status, 403)
  t.is((await client.send('DELETE', '/import/of_b', undefined, await keyWith(['write']))).status, 403)
  const { changes } = await client.ok(client.send('GET', '/audit', undefined, admin))
  t.true(changes.some(({ what, name }: { what: string; name: string }) => what === 'import' && name === 'of_a'))
})
