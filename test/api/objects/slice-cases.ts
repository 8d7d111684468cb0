import { randomBytes } from 'node:crypto'
import type { Client } from '../../support/requests/client.ts'
import { type Case, conflict, fails, forbidden, invalid, keysIn, missing, putObject, tooLarge } from './bucket-cases.ts'

const mebibyte = 1024 * 1024

const slicesOf = (content: Buffer): string[] =>
  Array.from({ length: Math.ceil(content.length / mebibyte) }, (_, i) =>
    content.subarray(i * mebibyte, (i + 1) * mebibyte).toString('base64'),
  )

const begin = (client: Client, bucket: string, fsize: unknown, key: unknown = 'k') =>
  client.post(`/brs/${bucket}/putfile`, { bucket_name: bucket, key, fsize })

const slicePath = (call: 'putfile' | 'getfile', bucket: string, key: string, nslice?: number | string) =>
  `/brs/${bucket}/${call}?key=${encodeURIComponent(key)}${nslice === undefined ? '' : `&nslice=${nslice}`}`

/** Values that clients send as `nslice`: the slice's number beside the first key or the last, or how many there are. */
const manners: Record<string, (first: string, last: string, i: number, all: number) => [key: string, nslice: number]> =
  {
    'its number beside the first key': (first, _, i) => [first, i],
    'its number beside the last key': (_, last, i) => [last, i],
    'how many there are beside the last key': (_, last, __, all) => [last, all],
  }

export const sliceCases: readonly Case[] = [
  {
    title: 'a file comes out in slices that a client counts by itself, by its key and their number',
    async run(t, client, bucket) {
      const content = randomBytes(2 * mebibyte + 5)
      const slices = slicesOf(content)
      const locked = `${bucket}-counted`
      const keys = { access_key: 'a', secret_key: 's' }
      await client.ok(client.post('/brs/bucket', { bucket_name: locked, ...keys }))
      const shown = { 'x-access-key': 'a', 'x-secret-key': 's' }
      for (const [place, headers] of [
        [bucket, {}],
        [locked, shown],
      ] as const) {
        for (const key of ['plain', 'dir/a:1:3', 'ünï']) {
          await putObject(client, place, key, content, headers)
          for (const [i, slice] of slices.entries()) {
            const answer = await client.post(
              slicePath('getfile', place, `${key}:${i}`, slices.length),
              'dummy',
              headers,
            )
            t.deepEqual([answer.status, answer.headers.get('x-next-id'), answer.text], [200, String(i + 1), slice])
            const next = answer.headers.get('x-next-key')
            t.is(next && decodeURI(next), i + 1 < slices.length ? `${key}:${i + 1}` : null)
          }
          fails(
            t,
            await client.post(slicePath('getfile', place, `${key}:3`), 'dummy', headers),
            invalid,
            /numbered 0 to 2/,
          )
        }
        fails(t, await client.post(slicePath('getfile', place, 'none:0'), 'dummy', headers), missing)
      }
      fails(t, await client.post(slicePath('getfile', locked, 'plain:0'), 'dummy'), forbidden)
    },
  },
  {
    title: 'an upload goes with its bucket: another one of that name gets nothing of it',
    async run(t, client, bucket) {
      const place = `${bucket}-anew`
      const [first = '', last = ''] = slicesOf(randomBytes(mebibyte + 5))
      await client.ok(client.post('/brs/bucket', { bucket_name: place }))
      const { next_key } = await client.ok(begin(client, place, mebibyte + 5))
      await client.ok(client.post(slicePath('putfile', place, next_key, 0), first))
      await client.ok(client.post('/brs/bucket/delete', { bucket_name: place }))
      fails(t, await client.post(slicePath('putfile', place, next_key, 1), last), missing)
      await client.ok(client.post('/brs/bucket', { bucket_name: place, access_key: 'a', secret_key: 's' }))
      fails(t, await client.post(slicePath('putfile', place, next_key, 1), last), missing)
      t.deepEqual(await keysIn(client, place, '', { access_key: 'a', secret_key: 's' }), [])
    },
  },
  {
    title: 'a slice needs no keys of its bucket, and is refused with wrong ones',
    async run(t, client, bucket) {
      const locked = `${bucket}-shown`
      const keys = { access_key: 'a', secret_key: 's' }
      await client.ok(client.post('/brs/bucket', { bucket_name: locked, ...keys }))
      const [slice = ''] = slicesOf(Buffer.from('content'))
      const put = await client.ok(client.post(`/brs/${locked}/putfile`, { ...keys, key: 'k', fsize: 7 }))
      const putPath = slicePath('putfile', locked, put.next_key, 0)
      const wrong = { 'x-access-key': 'a', 'x-secret-key': 'other' }
      fails(t, await client.post(putPath, slice, wrong), forbidden)
      await client.ok(client.post(putPath, slice))
      const got = await client.ok(client.post(`/brs/${locked}/getfile`, { ...keys, key: 'k' }))
      const getPath = slicePath('getfile', locked, got.next_key, 0)
      fails(t, await client.post(getPath, 'dummy', wrong), forbidden)
      fails(t, await client.post(getPath, 'dummy', { 'x-access-key': 'a' }), forbidden)
      t.is((await client.post(getPath, 'dummy')).text, slice)
    },
  },
  ...Object.entries(manners).map(
    ([manner, choose]): Case => ({
      title: `a file goes in and comes out in slices, each asked for by ${manner}`,
      async run(t, client, bucket) {
        for (const size of [1, mebibyte, 2 * mebibyte + 5]) {
          const content = randomBytes(size)
          const slices = slicesOf(content)
          const key = `dir/file ${size}`
          const hands = await client.ok(begin(client, bucket, size, key))
          const shape = { nslice: slices.length, chunk_size: mebibyte, file_size: size, next_id: 0 }
          t.like(hands, shape)
          let last = hands.next_key
          for (const [i, slice] of slices.entries()) {
            t.false((await keysIn(client, bucket)).includes(key))
            const [asked, nslice] = choose(hands.next_key, last, i, slices.length)
            const answer = await client.ok(client.post(slicePath('putfile', bucket, asked, nslice), slice))
            t.is(answer.next_id, i + 1)
            t.is('next_key' in answer, i + 1 < slices.length)
            last = answer.next_key
          }
          t.true((await keysIn(client, bucket)).includes(key))
          const back = await client.ok(client.post(`/brs/${bucket}/getfile`, { bucket_name: bucket, key }))
          t.like(back, shape)
          last = back.next_key
          const got: string[] = []
          for (let i = 0; i < back.nslice; i++) {
            const [asked, nslice] = choose(back.next_key, last, i, slices.length)
            const answer = await client.post(slicePath('getfile', bucket, asked, nslice), 'dummy')
            t.deepEqual([answer.status, answer.headers.get('x-next-id')], [200, String(i + 1)])
            t.regex(answer.headers.get('content-type') ?? '', /^text\/plain/)
            last = answer.headers.get('x-next-key') ?? ''
            got.push(answer.text)
          }
          t.is(last, '')
          t.deepEqual(got, slices)
        }
      },
    }),
  ),
  {
    title: 'an empty file needs no slice',
    async run(t, client, bucket) {
      const empty = { nslice: 0, chunk_size: mebibyte, file_size: 0, next_id: 0 }
      t.deepEqual(await client.ok(begin(client, bucket, 0)), empty)
      t.deepEqual(await keysIn(client, bucket), ['k'])
      t.deepEqual(await client.ok(client.post(`/brs/${bucket}/getfile`, { key: 'k' })), empty)
    },
  },
  {
    title: 'a slice out of order, twice, too long, too short or no base64 is refused, and the right one may follow',
    async run(t, client, bucket) {
      const content = randomBytes(2 * mebibyte + 10)
      const [first = '', second = '', third = ''] = slicesOf(content)
      const { next_key } = await client.ok(begin(client, bucket, content.length))
      const send = (nslice: number | string, slice: string) =>
        client.post(slicePath('putfile', bucket, next_key, nslice), slice)
      fails(t, await send(1, second), conflict, /slice 0 is due/)
      await client.ok(send(0, first))
      fails(t, await send(0, first), conflict, /slice 0 is there already: slice 1 is due/)
      fails(t, await send(2, third), conflict, /slice 1 is due/)
      fails(t, await send(4, second), invalid, /numbered 0 to 2/)
      for (const number of ['-1', '1.5', 'x', '', '1e1', '99999999999']) fails(t, await send(number, second), invalid)
      fails(t, await send(1, Buffer.alloc(mebibyte + 1).toString('base64')), invalid, /must hold 1048576 bytes/)
      fails(t, await send(1, 'A'.repeat(2 * mebibyte + 4)), tooLarge, /a slice holds 1048576 bytes/)
      for (const short of ['', third]) fails(t, await send(1, short), invalid, /must hold 1048576 bytes/)
      for (const text of [second.slice(1), `!${second.slice(1)}`]) fails(t, await send(1, text), invalid, /no.* base64/)
      t.deepEqual(await keysIn(client, bucket), [])
      await client.ok(send(1, second.replace(/.{76}/g, '$&\r\n')))
      await client.ok(send(2, third))
      t.deepEqual(await keysIn(client, bucket), ['k'])
      fails(t, await send(2, third), missing, /no such upload/)
      const { body } = await client.post('/brs/list/1', {})
      const found = body.buckets.find((each: { bucket_name: string }) => each.bucket_name === bucket)
      t.is(found.total_size, content.length)
    },
  },
  {
    title: 'a transfer begins with what it needs to know, and is refused where that is wrong',
    async run(t, client, bucket) {
      for (const size of [-1, 1.5, 'x', null, undefined, true, 2n ** 60n, [], '1e3']) {
        fails(t, await begin(client, bucket, size), invalid, /fsize: (is missing|must be a whole number)/)
      }
      for (const key of [5, null, undefined, {}]) {
        fails(t, await begin(client, bucket, 1, key === undefined ? null : key), invalid, /key: /)
        fails(t, await client.post(`/brs/${bucket}/getfile`, { key }), invalid, /key: /)
      }
      t.is((await client.ok(begin(client, bucket, '5'))).file_size, 5)
      const elsewhere = { bucket_name: 'ml_bucket_info', key: 'k', fsize: 1 }
      fails(t, await client.post(`/brs/${bucket}/putfile`, elsewhere), invalid, /differs from the bucket in the path/)
      fails(t, await client.post(`/brs/${bucket}/getfile`, elsewhere), invalid, /differs/)
      for (const call of ['putfile', 'getfile']) {
        fails(t, await client.post(`/brs/${bucket}/${call}?nslice=0`, 'eA=='), invalid, /key: is missing/)
        fails(t, await client.post(`/brs/${bucket}/${call}?key=a&key=b`, 'eA=='), invalid, /send one/)
        for (const key of ['', 'k', 'k:0:1', 'x.y:0:1', ':::', '%00']) {
          fails(t, await client.post(`/brs/${bucket}/${call}?key=${key}&nslice=0`, 'eA=='), missing)
        }
        fails(t, await client.post(`/brs/${bucket}/${call}`, 'eA=='), invalid, /no JSON/)
        fails(t, await client.post(`/brs/a%20b/${call}`, { key: 'k', fsize: 1 }), invalid, /cannot name a bucket/)
      }
    },
  },
  {
    title: 'the keys of a bucket are shown once a transfer, and its key is good in its own bucket only',
    async run(t, client, bucket) {
      const name = `${bucket}-shut`
      const keys = { access_key: 'me', secret_key: 's' }
      await client.ok(client.post('/brs/bucket', { bucket_name: name, ...keys }))
      fails(t, await begin(client, name, 1), forbidden)
      const file = { key: 'k', fsize: 1, ...keys }
      const { next_key } = await client.ok(client.post(`/brs/${name}/putfile`, file))
      fails(t, await client.post(slicePath('putfile', bucket, next_key, 0), 'eA=='), missing)
      await client.ok(client.post(slicePath('putfile', name, next_key, 0), 'eA=='))
      fails(t, await client.post(`/brs/${name}/getfile`, { key: 'k' }), forbidden)
      const back = await client.ok(client.post(`/brs/${name}/getfile`, file))
      fails(t, await client.post(slicePath('getfile', bucket, back.next_key, 0), ''), missing)
      t.is((await client.post(slicePath('getfile', name, back.next_key), '')).text, 'eA==')
    },
  },
  {
    title: 'a download whose object is replaced meanwhile is refused, never mixed',
    async run(t, client, bucket) {
      await putObject(client, bucket, 'k', randomBytes(mebibyte + 1))
      const { next_key } = await client.ok(client.post(`/brs/${bucket}/getfile`, { key: 'k' }))
      t.is((await client.post(slicePath('getfile', bucket, next_key, 0), '')).status, 200)
      await putObject(client, bucket, 'k', randomBytes(mebibyte + 1))
      fails(t, await client.post(slicePath('getfile', bucket, next_key, 1), ''), conflict, /begin again/)
      fails(t, await client.post(slicePath('getfile', bucket, next_key, 7), ''), invalid, /numbered 0 to 1/)
    },
  },
]
