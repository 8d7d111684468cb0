import type { ExecutionContext } from 'ava'
import type { Answer, Client } from '../../support/requests/client.ts'

/** One case of the object store by HTTP, for every kind of store behind it; `bucket` is its own and open. */
export type Case = {
  readonly title: string
  run(t: ExecutionContext, client: Client, bucket: string): Promise<void>
}

export type Shape = { status: number; errcode: number }

export const invalid = { status: 400, errcode: -1 }
export const forbidden = { status: 403, errcode: -2 }
export const missing = { status: 404, errcode: -3 }
export const conflict = { status: 409, errcode: -4 }
export const tooLarge = { status: 413, errcode: -5 }

/** A failure has its status, `errcode` and its messages, and the dialect's `success` beside them. */
export function fails(t: ExecutionContext, answer: Answer, shape: Shape, message?: RegExp): void {
  const { errcode, success, error } = answer.body ?? {}
  t.deepEqual({ status: answer.status, errcode, success }, { ...shape, success: shape.errcode }, answer.text)
  t.regex(error?.[0] ?? '', message ?? /./)
}

export const keysIn = async (client: Client, bucket: string, prefix = '', more: object = {}): Promise<string[]> => {
  const path = `/brs/object/list?key=${encodeURIComponent(prefix)}`
  const { total_keys, key_list } = await client.ok(client.post(path, { bucket_name: bucket, ...more }))
  const keys = key_list.map(({ key }: { key: string }) => key)
  if (total_keys !== keys.length) throw new Error(`total_keys is ${total_keys}, and there are ${keys.length}`)
  return keys
}

export const putObject = (
  client: Client,
  bucket: string,
  key: string,
  content: string | Uint8Array,
  headers?: Readonly<Record<string, string>>,
) => client.ok(client.send('PUT', `/brs/${bucket}/object/${encodeURIComponent(key)}`, content, headers))

const secret = { access_key: 'me', secret_key: 'a secret that is nowhere shown' }
const secretHeaders = { 'x-access-key': secret.access_key, 'x-secret-key': secret.secret_key }

export const bucketCases: readonly Case[] = [
  {
    title: 'members of a body that do nothing are told beside the success, or in a header',
    async run(t, client, bucket) {
      const own = `${bucket}-told`
      const made = { bucket_name: own, acces_key: 'a' }
      const note = ['acces_key is unknown and does nothing; did you mean access_key?']
      t.deepEqual(await client.ok(client.post('/brs/bucket', made)), { success: 0, error: note })
      await putObject(client, own, 'k', 'x')
      const listed = await client.post('/brs/object/list/1', made)
      t.deepEqual([listed.body.total_keys, listed.headers.get('x-weir-note')], [1, note.join()])
      t.regex((await client.post('/brs/list/0', { flag: 1 })).headers.get('x-weir-note') ?? '', /^flag is unknown/)
      const put = await client.post(`/brs/${own}/putfile`, { key: 'j', fsize: 1, buckt: own })
      t.is(
        put.headers.get('x-weir-note'),
        'buckt is unknown and does nothing; known are bucket_name, key, access_key, secret_key, fsize',
      )
      t.deepEqual(await client.ok(client.post('/brs/delete?key=k', made)), { success: 0, error: note })
      t.deepEqual(await client.ok(client.post('/brs/bucket/delete', { bucket_name: own, forced: 1 })), {
        success: 0,
        error: ['forced is unknown and does nothing; did you mean force?'],
      })
    },
  },
  {
    title: 'objects are paged with their bytes, in the order of their keys, and none is left out or shown twice',
    async run(t, client, bucket) {
      // A server that keeps objects as files has no place for one below another: 'a' and 'a/b'.
      const keys = ['a-1', 'a/b', 'b 1', 'b 2', 'ü', '\u{1f600}']
      for (const [i, key] of keys.entries()) await putObject(client, bucket, key, 'x'.repeat(i))
      const pageOf = (query: object) =>
        client.post(`/brs/object/list/1?${new URLSearchParams({ ...query })}`, { bucket_name: bucket })
      const found: { key: string; size: number }[] = []
      for (let more = true, after: string | undefined; more; after = found.at(-1)?.key) {
        const page = await client.ok(pageOf({ limit: '4', ...(after !== undefined && { after }) }))
        t.is(page.total_keys, page.key_list.length)
        found.push(...page.key_list)
        more = page.more_data_to_come === 1
      }
      t.deepEqual(
        found,
        keys.map((key, size) => ({ key, size })),
      )
      const some = await client.ok(pageOf({ limit: '1', key: 'b', after: 'b 1' }))
      t.deepEqual(some, { key_list: [{ key: 'b 2', size: 3 }], total_keys: 1, more_data_to_come: 0 })
      fails(t, await pageOf({ limit: '0' }), invalid, /^limit: /)
      fails(t, await pageOf({ limit: '1001' }), invalid, /^limit: /)
      fails(t, await pageOf({ after: 'a' }), invalid, /^after: goes on with a page, so it needs a limit/)
    },
  },
  {
    title: 'the system buckets are there from the start, and stay',
    async run(t, client) {
      const { buckets, num_buckets } = await client.ok(client.post('/brs/list/0', {}))
      t.is(num_buckets, buckets.length)
      t.is((await client.ok(client.get('/brs/count'))).count >= 2, true)
      for (const bucket of ['ml_bucket_info', 'weir_udf_bucket']) {
        t.true(buckets.includes(bucket))
        fails(t, await client.post('/brs/bucket', { bucket_name: bucket }), conflict)
        fails(t, await client.post('/brs/bucket/delete', { bucket_name: bucket }), conflict, /system bucket/)
      }
    },
  },
  {
    title: 'a bucket is created once, listed with its keys and bytes, and removed when it is empty',
    async run(t, client, bucket) {
      const body = { bucket_name: `${bucket}-x` }
      const list = async (flag: 0 | 1) => (await client.ok(client.post(`/brs/list/${flag}`, ''))).buckets
      t.deepEqual(await client.ok(client.post('/brs/bucket', body)), { success: 0 })
      fails(t, await client.post('/brs/bucket', body), conflict, /already/)
      await putObject(client, body.bucket_name, 'one', 'four')
      await putObject(client, body.bucket_name, 'two', 'seven77')
      t.true((await list(0)).includes(body.bucket_name))
      const found = (await list(1)).find((each: { bucket_name: string }) => each.bucket_name === body.bucket_name)
      t.deepEqual(found, { ...body, issys: 0, num_keys: 2, total_size: 11 })
      fails(t, await client.post('/brs/bucket/delete', body), conflict)
      for (const key of ['one', 'two']) {
        t.deepEqual(await client.ok(client.post(`/brs/delete?key=${key}`, body)), { success: 0 })
        fails(t, await client.post(`/brs/delete?key=${key}`, body), missing, /there is no object/)
      }
      t.deepEqual(await client.ok(client.post('/brs/bucket/delete', body)), { success: 0 })
      fails(t, await client.post('/brs/bucket/delete', body), missing)
      t.false((await list(0)).includes(body.bucket_name))
    },
  },
  {
    title: 'a bucket that holds objects goes with them where that is asked for, and no other way',
    async run(t, client, bucket) {
      const name = `${bucket}-forced`
      await client.ok(client.post('/brs/bucket', { bucket_name: name }))
      for (const key of ['a', 'b/c', 'x'.repeat(100)]) await putObject(client, name, key, 'v')
      for (const force of [undefined, 0, '0'])
        fails(t, await client.post('/brs/bucket/delete', { bucket_name: name, force }), conflict)
      fails(t, await client.post('/brs/bucket/delete', { bucket_name: name, force: 'yes' }), invalid, /force/)
      t.deepEqual(await client.ok(client.post('/brs/bucket/delete', { bucket_name: name, force: 1 })), { success: 0 })
      fails(t, await client.post('/brs/object/list/1', { bucket_name: name }), missing)
      await client.ok(client.post('/brs/bucket', { bucket_name: name }))
      t.deepEqual(await keysIn(client, name), [])
      const system = { bucket_name: 'ml_bucket_info', force: 1 }
      fails(t, await client.post('/brs/bucket/delete', system), conflict, /system bucket/)
    },
  },
  {
    title: 'a bucket goes by force while others write to it, and is empty when it is made again',
    async run(t, client, bucket) {
      const name = `${bucket}-written`
      await client.ok(client.post('/brs/bucket', { bucket_name: name }))
      for (let i = 0; i < 20; i++) await putObject(client, name, `before${i}`, 'v')
      let isGone = false
      const statuses: number[] = []
      const write = async (writer: number) => {
        for (let i = 0; !isGone; i++) {
          const { status } = await client.send('PUT', `/brs/${name}/object/w${writer}-${i}`, 'v')
          statuses.push(status)
        }
      }
      const writing = [0, 1, 2, 3].map(write)
      while (statuses.length < 8) await new Promise((resolve) => setTimeout(resolve, 1))
      const removed = await client.post('/brs/bucket/delete', { bucket_name: name, force: 1 })
      isGone = true
      await Promise.all(writing)
      t.deepEqual([removed.status, removed.body], [200, { success: 0 }], removed.text)
      t.deepEqual([...new Set(statuses)].sort(), [200, 404])
      fails(t, await client.post('/brs/object/list/1', { bucket_name: name }), missing)
      await client.ok(client.post('/brs/bucket', { bucket_name: name }))
      t.deepEqual(await keysIn(client, name), [])
    },
  },
  {
    title: 'objects are listed as the interface has it, all of them or those under a prefix',
    async run(t, client, bucket) {
      const empty = { total_keys: 0, key_list: [] }
      t.deepEqual(await client.ok(client.post('/brs/object/list/1', { bucket_name: bucket })), empty)
      const keys = ['a', 'ä/"q"', 'dir/x y', 'dir/z+1', 'm__s__flights.csv']
      for (const key of keys) await putObject(client, bucket, key, key)
      const all = {
        total_keys: 5,
        key_list: ['a', 'dir/x y', 'dir/z+1', 'm__s__flights.csv', 'ä/"q"'].map((key) => ({ key })),
      }
      for (const path of ['/brs/object/list/1', '/brs/object/list/0', '/brs/object/list']) {
        t.deepEqual(await client.ok(client.post(path, { bucket_name: bucket })), all)
      }
      t.deepEqual(await keysIn(client, bucket, 'dir/'), ['dir/x y', 'dir/z+1'])
      t.deepEqual(await keysIn(client, bucket, 'dir/z+'), ['dir/z+1'])
      t.deepEqual(await keysIn(client, bucket, 'ä'), ['ä/"q"'])
      for (const none of ['b', '/', '../', '\0', '../../etc/']) t.deepEqual(await keysIn(client, bucket, none), [])
      t.deepEqual(await client.ok(client.post('/brs/delete?key=dir/z%2B1', { bucket_name: bucket })), { success: 0 })
    },
  },
  {
    title: 'whatever names a bucket or an object that is not there is a 404',
    async run(t, client, bucket) {
      const body = { bucket_name: 'nowhere' }
      const calls: (readonly [string, string, unknown])[] = [
        ['POST', '/brs/bucket/delete', body],
        ['POST', '/brs/object/list/1', body],
        ['POST', '/brs/object/list?key=k', body],
        ['POST', '/brs/delete?key=k', body],
        ['POST', '/brs/nowhere/putfile', { fsize: 1, key: 'k' }],
        ['POST', '/brs/nowhere/getfile', { key: 'k' }],
        ['PUT', '/brs/nowhere/object/k', 'v'],
        ['GET', '/brs/nowhere/object/k', undefined],
        ['DELETE', '/brs/nowhere/object/k', undefined],
        ['POST', `/brs/${bucket}/getfile`, { key: 'k' }],
        ['GET', `/brs/${bucket}/object/k`, undefined],
        ['DELETE', `/brs/${bucket}/object/k`, undefined],
      ]
      for (const [method, path, sent] of calls) fails(t, await client.send(method, path, sent), missing)
      for (const path of ['/brs/nowhere/object/k', `/brs/${bucket}/object/k`]) {
        t.is((await client.send('HEAD', path)).status, 404)
      }
    },
  },
  {
    title: 'a bucket with keys opens to these alone, in bodies and in headers, and never shows them',
    async run(t, client, bucket) {
      const name = `${bucket}-locked`
      t.deepEqual(await client.ok(client.post('/brs/bucket', { bucket_name: name, ...secret })), { success: 0 })
      const calls: (readonly [string, string, object | undefined])[] = [
        ['PUT', `/brs/${name}/object/k`, undefined],
        ['GET', `/brs/${name}/object/k`, undefined],
        ['POST', '/brs/object/list/1', { bucket_name: name }],
        ['POST', `/brs/${name}/getfile`, { bucket_name: name, key: 'k' }],
        ['POST', `/brs/${name}/putfile`, { bucket_name: name, key: 'l', fsize: 0 }],
        ['POST', '/brs/delete?key=k', { bucket_name: name }],
        ['DELETE', `/brs/${name}/object/l`, undefined],
        ['POST', '/brs/bucket/delete', { bucket_name: name }],
      ]
      const wrong = [
        {},
        { access_key: 'me' },
        { secret_key: secret.secret_key },
        { ...secret, secret_key: 'another' },
        { ...secret, access_key: 'you' },
        { ...secret, secret_key: 'x'.repeat(10_000) },
      ]
      for (const [method, path, body] of calls) {
        for (const { access_key, secret_key } of wrong as Partial<typeof secret>[]) {
          const headers = { 'x-access-key': access_key ?? '', 'x-secret-key': secret_key ?? '' }
          const refused = await client.send(method, path, body, headers)
          fails(t, refused, forbidden, /has keys/)
          if (body) fails(t, await client.send(method, path, { ...body, access_key, secret_key }), forbidden)
          t.false(refused.text.includes(secret.secret_key))
        }
      }
      const shown = []
      for (const [method, path, body] of calls) {
        const isInBody = body !== undefined && path !== '/brs/bucket/delete'
        const sent = isInBody ? { ...body, ...secret } : body
        const answer = await client.send(method, path, sent, isInBody ? {} : secretHeaders)
        t.is(answer.status, 200, answer.text)
        shown.push(answer.text)
      }
      shown.push((await client.post('/brs/list/1', {})).text)
      t.false(shown.some((text) => text.includes(secret.secret_key)))
    },
  },
  {
    title: 'a body that is wrong is refused with what would be right',
    async run(t, client, bucket) {
      const paths = ['/brs/bucket', '/brs/bucket/delete', '/brs/object/list/1', '/brs/delete?key=k']
      for (const path of paths) {
        fails(t, await client.post(path, '{"bucket_name"'), invalid, /no JSON/)
        fails(t, await client.post(path, '[]'), invalid, /send an object/)
        fails(t, await client.post(path, ''), invalid, /bucket_name: is missing/)
        fails(t, await client.post(path, '\xff'), invalid)
        fails(t, await client.post(path, { bucket_name: 5, access_key: 6 }), invalid, /bucket_name: must be a string/)
        const { body } = await client.post(path, { bucket_name: 5, secret_key: {} })
        t.deepEqual(body.error, ['bucket_name: must be a string', 'secret_key: must be a string'])
        for (const name of ['', '..', '../x', 'a/b', 'a b', '.x', 'ä', 'a\0b', 'x'.repeat(64), 'x'.repeat(100_000)]) {
          fails(t, await client.post(path, { bucket_name: name }), invalid, /cannot name a bucket/)
        }
      }
      for (const half of [{ access_key: 'me' }, { secret_key: 's' }, { access_key: '', secret_key: '' }]) {
        fails(t, await client.post('/brs/bucket', { bucket_name: `${bucket}-half`, ...half }), invalid, /go together/)
      }
      for (const flag of ['2', '-1', '01', '1.0', 'x', '%30%30']) {
        fails(t, await client.post(`/brs/list/${flag}`, {}), invalid, /0 for a brief list or 1/)
        fails(t, await client.post(`/brs/object/list/${flag}`, { bucket_name: bucket }), invalid)
      }
      fails(t, await client.post('/brs/delete', { bucket_name: bucket }), invalid, /key: is missing/)
      fails(t, await client.post('/brs/delete?key=a&key=b', { bucket_name: bucket }), invalid, /send one/)
      fails(t, await client.post('/brs/delete?key=%ff', { bucket_name: bucket }), invalid, /UTF-8/)
      t.false((await client.post('/brs/list/0', {})).body.buckets.some((name: string) => name.includes('half')))
    },
  },
]
