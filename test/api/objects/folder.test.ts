import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { bucketCases, fails, keysIn, tooLarge } from './bucket-cases.ts'
import { objectCases } from './object-cases.ts'
import { sliceCases } from './slice-cases.ts'

const service = await startService({ MAX_BODY_MB: '1' })
const { client, folder } = service
test.after.always(() => service.close())

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile())

for (const [i, { title, run }] of [...bucketCases, ...objectCases, ...sliceCases].entries()) {
  test(`folder: ${title}`, async (t) => {
    await client.ok(client.post('/brs/bucket', { bucket_name: `b${i}` }))
    await run(t, client, `b${i}`)
  })
}

test('MAX_BODY_MB bounds JSON bodies, and no object', async (t) => {
  const content = Buffer.alloc(3 * 1024 * 1024, 'x')
  await client.ok(client.send('PUT', '/brs/weir_udf_bucket/object/long', content))
  t.is((await client.send('HEAD', '/brs/weir_udf_bucket/object/long')).headers.get('content-length'), '3145728')
  const body = { bucket_name: 'weir_udf_bucket', more: 'x'.repeat(2 * 1024 * 1024) }
  fails(t, await client.post('/brs/object/list/1', body), tooLarge)
})

test('a list has all of very many keys', async (t) => {
  const place = join(folder, 'buckets', 'many')
  mkdirSync(place)
  const keys = Array.from({ length: 20_000 }, (_, i) => `m__s__part-${String(i).padStart(6, '0')}.csv`)
  for (const key of keys) writeFileSync(join(place, key), '')
  t.deepEqual(await keysIn(client, 'many'), keys)
  t.is((await keysIn(client, 'many', 'm__s__part-0012')).length, 100)
})

test('a secret is nowhere in the folder, and an object is where people look for it', async (t) => {
  const secret = 'only-the-hash-of-this-is-kept'
  await client.ok(client.post('/brs/bucket', { bucket_name: 'hashed', access_key: 'me', secret_key: secret }))
  await client.ok(client.send('PUT', '/brs/ml_bucket_info/object/m__s__flights.csv', 'a,b\n'))
  t.is(readFileSync(join(folder, 'buckets', 'ml_bucket_info', 'm__s__flights.csv'), 'utf8'), 'a,b\n')
  const records = join(folder, 'buckets', '.records')
  t.true(readdirSync(records).includes('hashed'))
  for (const name of filesIn(records)) t.false(readFileSync(join(records, name), 'utf8').includes(secret))
})

test('what a client broke off, or a transfer is done with, leaves no file behind', async (t) => {
  await until('nothing is left', () => filesIn(join(folder, 'buckets', '.scratch')).length === 0)
  const { next_key } = await client.ok(client.post('/brs/ml_bucket_info/putfile', { key: 'one', fsize: 1 }))
  await client.ok(client.post(`/brs/ml_bucket_info/putfile?key=${next_key}&nslice=0`, 'eA=='))
  t.is((await client.get('/brs/ml_bucket_info/object/one')).text, 'x')
})

test('the store is a part of the report of health', async (t) => {
  const { parts } = await client.ok(client.get('/health/ready'))
  t.like(parts.buckets, { status: 'up', takes: true })
})
