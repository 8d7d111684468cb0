import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createGetSlices } from '../../../activities/objects/get-slices.ts'
import { createPutSlices, type PutSlices } from '../../../activities/objects/put-slices.ts'
import { openScratch } from '../../../infra/buckets/scratch.ts'
import {
  bytesOf,
  type Case,
  type Harness,
  keysIn,
  randomContent,
  storeWithBucket,
  streamOf,
  temporaryFolder,
  textOf,
  throwsFault,
} from './harness.ts'

const mebibyte = 1024 * 1024

async function transfers(t: ExecutionContext, harness: Harness, limits: { max?: number; idle_ms?: number } = {}) {
  const { objects, buckets } = await storeWithBucket(t, harness)
  const folder = join(temporaryFolder(t), 'scratch')
  const put = createPutSlices({ objects, scratch: await openScratch(folder), ...limits })
  t.teardown(() => put.close())
  return {
    objects,
    buckets,
    put,
    get: createGetSlices({ objects, secret: 'test' }),
    openFiles: async () => (await readdir(folder)).length,
  }
}

/** As base64, slice by slice. */
const slicesOf = (content: Buffer): string[] =>
  Array.from({ length: Math.ceil(content.length / mebibyte) }, (_, i) =>
    content.subarray(i * mebibyte, (i + 1) * mebibyte).toString('base64'),
  )

async function begun(put: PutSlices, size: number, key = 'k', owner = ''): Promise<string> {
  const { key: transfer = '' } = await put.begin({ bucket: 'b', key, size }, owner)
  return transfer
}

export const sliceCases: readonly Case[] = [
  {
    title: 'an object goes in and comes out in slices of 1 MiB',
    async run(t, harness) {
      const { objects, put, get, openFiles } = await transfers(t, harness)
      for (const size of [1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte, 9 * mebibyte + 5]) {
        const content = randomContent(size)
        const slices = slicesOf(content)
        const { key: upload = '', ...rest } = await put.begin({ bucket: 'b', key: `k${size}`, size })
        t.deepEqual(rest, { slices: slices.length, sliceBytes: mebibyte, size, next: 0 })
        for (const [i, slice] of slices.entries()) {
          t.is(await objects.stat('b', `k${size}`), undefined)
          const isLast = i === slices.length - 1
          t.deepEqual(await put.slice('b', upload, i, slice), { ...(isLast ? {} : { key: upload }), next: i + 1 })
        }
        t.true((await bytesOf(objects, 'b', `k${size}`))?.equals(content))
        const { key: download = '', ...shape } = (await get.begin('b', `k${size}`)) ?? {}
        t.deepEqual(shape, rest)
        for (const [i, base64] of slices.entries()) {
          const isLast = i === slices.length - 1
          const expected = { ...(isLast ? {} : { key: download }), next: i + 1, base64 }
          t.deepEqual(await get.slice('b', download, i), expected)
        }
      }
      t.is(await openFiles(), 0)
    },
  },
  {
    title: 'an empty file needs no slice',
    async run(t, harness) {
      const { objects, put, get } = await transfers(t, harness)
      const empty = { slices: 0, sliceBytes: mebibyte, size: 0, next: 0 }
      t.deepEqual(await put.begin({ bucket: 'b', key: 'k', size: 0 }), empty)
      t.is(await textOf(objects, 'b', 'k'), '')
      t.deepEqual(await get.begin('b', 'k'), empty)
    },
  },
  {
    title:
      'a slice out of order, twice, too long, too short, of no number or no base64 is refused, and the right one may follow',
    async run(t, harness) {
      const { objects, put } = await transfers(t, harness)
      const content = randomContent(2 * mebibyte + 10)
      const [first = '', second = '', third = ''] = slicesOf(content)
      const upload = await begun(put, content.length)
      await throwsFault(t, 'conflict', () => put.slice('b', upload, 1, second), /slice 0 is due, before slice 1/)
      await put.slice('b', upload, 0, first)
      await throwsFault(
        t,
        'conflict',
        () => put.slice('b', upload, 0, first),
        /slice 0 is there already: slice 1 is due/,
      )
      await throwsFault(t, 'conflict', () => put.slice('b', upload, 2, third), /slice 1 is due/)
      for (const index of [-1, 3, 0.5, Number.NaN]) {
        await throwsFault(t, 'invalid', () => put.slice('b', upload, index, second), /numbered 0 to 2/)
      }
      const long = Buffer.alloc(mebibyte + 1).toString('base64')
      await throwsFault(
        t,
        'invalid',
        () => put.slice('b', upload, 1, long),
        /must hold 1048576 bytes and holds 1048577/,
      )
      for (const short of ['', third, Buffer.alloc(mebibyte - 1).toString('base64')]) {
        await throwsFault(t, 'invalid', () => put.slice('b', upload, 1, short), /must hold 1048576 bytes/)
      }
      for (const text of [second.slice(1), `!${second.slice(1)}`, `${second}=`, second.replace(/^./, ' ')]) {
        await throwsFault(t, 'invalid', () => put.slice('b', upload, 1, text), /slice 1 is not base64/)
      }
      t.deepEqual(await keysIn(objects, 'b'), [])
      await put.slice('b', upload, 1, second.replace(/.{76}/g, '$&\r\n'))
      await throwsFault(t, 'invalid', () => put.slice('b', upload, 2, second), /must hold 10 bytes and holds 1048576/)
      await put.slice('b', upload, 2, third)
      t.true((await bytesOf(objects, 'b', 'k'))?.equals(content))
      await throwsFault(t, 'missing', () => put.slice('b', upload, 2, third), /no such upload/)
    },
  },
  {
    title: 'of two equal slices at once one is taken',
    async run(t, harness) {
      const { put } = await transfers(t, harness)
      const [first = ''] = slicesOf(randomContent(mebibyte))
      const upload = await begun(put, 2 * mebibyte)
      const [one, two] = await Promise.allSettled([put.slice('b', upload, 0, first), put.slice('b', upload, 0, first)])
      t.deepEqual([one.status, two.status], ['fulfilled', 'rejected'])
    },
  },
  {
    title: 'an upload is begun only with a size, into a bucket that is there, under a key that is one',
    async run(t, harness) {
      const { put, openFiles } = await transfers(t, harness)
      for (const size of [-1, 0.5, Number.NaN, Infinity, 2 ** 60]) {
        await throwsFault(t, 'invalid', () => put.begin({ bucket: 'b', key: 'k', size }), /fsize/)
      }
      await throwsFault(t, 'missing', () => put.begin({ bucket: 'other', key: 'k', size: 1 }))
      await throwsFault(t, 'invalid', () => put.begin({ bucket: '../b', key: 'k', size: 1 }))
      await throwsFault(t, 'invalid', () => put.begin({ bucket: 'b', key: '../k', size: 1 }))
      t.is(await openFiles(), 0)
    },
  },
  {
    title: 'a transfer is taken on only under its own key, in its own bucket',
    async run(t, harness) {
      const { buckets, objects, put, get } = await transfers(t, harness)
      await buckets.create('other')
      await objects.put('b', 'there', streamOf('v'))
      const upload = await begun(put, 1)
      const { key: download = '' } = (await get.begin('b', 'there')) ?? {}
      for (const key of ['', 'k', `${upload}x`, download]) {
        await throwsFault(t, 'missing', () => put.slice('b', key, 0, 'eA=='))
      }
      await throwsFault(t, 'missing', () => put.slice('other', upload, 0, 'eA=='))
      for (const key of ['', 'k', `${download}x`, `x${download}`, download.slice(0, 20), upload]) {
        await throwsFault(t, 'missing', () => get.slice('b', key, 0))
      }
      await throwsFault(t, 'missing', () => get.slice('other', download, 0))
      await throwsFault(t, 'invalid', () => get.slice('b', download, 1), /numbered 0 to 0/)
    },
  },
  {
    title: 'a download goes on in every process that has the secret, and in no other',
    async run(t, harness) {
      const { objects, get } = await transfers(t, harness)
      await objects.put('b', 'there', streamOf('v'))
      const { key = '' } = (await get.begin('b', 'there')) ?? {}
      const another = createGetSlices({ objects, secret: 'test' })
      t.deepEqual(await another.slice('b', key, 0), await get.slice('b', key, 0))
      await throwsFault(t, 'missing', () => createGetSlices({ objects, secret: 'other' }).slice('b', key, 0))
    },
  },
  {
    title: 'two uploads to one key side by side: the one that ends later stays',
    async run(t, harness) {
      const { objects, put } = await transfers(t, harness)
      const [one, two] = [await begun(put, 3), await begun(put, 3)]
      await put.slice('b', two, 0, Buffer.from('two').toString('base64'))
      await put.slice('b', one, 0, Buffer.from('one').toString('base64'))
      t.is(await textOf(objects, 'b', 'k'), 'one')
    },
  },
  {
    title: 'a last slice that the store could not take may be sent again',
    async run(t, harness) {
      const { buckets, objects, put } = await transfers(t, harness)
      const upload = await begun(put, 1)
      await buckets.remove('b')
      await throwsFault(t, 'missing', () => put.slice('b', upload, 0, 'eA=='))
      await buckets.create('b')
      await put.slice('b', upload, 0, 'eA==')
      t.is(await textOf(objects, 'b', 'k'), 'x')
    },
  },
  {
    title: 'uploads are bounded in number, and each that is done makes room for one',
    async run(t, harness) {
      const { put } = await transfers(t, harness, { max: 3 })
      const uploads = await Promise.all([begun(put, 1), begun(put, 1), begun(put, 1)])
      await throwsFault(t, 'limited', () => begun(put, 1))
      await put.slice('b', uploads[0] ?? '', 0, 'eA==')
      t.truthy(await begun(put, 1))
      await throwsFault(t, 'limited', () => begun(put, 1))
    },
  },
  {
    title: 'one that begins uploads without end leaves room for those of others',
    async run(t, harness) {
      const { put } = await transfers(t, harness, { max: 8 })
      for (let n = 0; n < 6; n++) await begun(put, 1, `k${n}`, 'many')
      await throwsFault(t, 'limited', () => begun(put, 1, 'k', 'many'), /6 of yours/)
      t.truthy(await begun(put, 1, 'k', 'other'))
    },
  },
  {
    title: 'an upload that nobody goes on with is ended, with its file',
    async run(t, harness) {
      const { put, openFiles, objects } = await transfers(t, harness, { idle_ms: 300 })
      const upload = await begun(put, 5)
      while ((await openFiles()) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
      await throwsFault(t, 'missing', () => put.slice('b', upload, 0, 'eA=='), /was idle for too long/)
      t.deepEqual(await keysIn(objects, 'b'), [])
    },
  },
  {
    title: 'a download whose object is replaced or removed meanwhile is refused, never mixed',
    async run(t, harness) {
      const { objects, get } = await transfers(t, harness)
      await objects.put('b', 'k', streamOf(randomContent(2 * mebibyte)))
      const { key = '' } = (await get.begin('b', 'k')) ?? {}
      await get.slice('b', key, 0)
      for (const content of [randomContent(2 * mebibyte), 'short']) {
        await objects.put('b', 'k', streamOf(content))
        await throwsFault(t, 'conflict', () => get.slice('b', key, 1), /begin again/)
      }
      await objects.remove('b', 'k')
      await throwsFault(t, 'conflict', () => get.slice('b', key, 1), /begin again/)
      t.is(await get.begin('b', 'k'), undefined)
    },
  },
]
