import { text } from 'node:stream/consumers'
import {
  bytesOf,
  type Case,
  keysIn,
  openStore,
  randomContent,
  storeWithBucket,
  streamOf,
  textOf,
  throwsFault,
} from './harness.ts'

const mebibyte = 1024 * 1024
/** Sizes around the parts of 8 MiB in which S3 gets a long object. */
const sizes = [0, 1, 65_536, 8 * mebibyte - 1, 8 * mebibyte, 8 * mebibyte + 1, 24 * mebibyte]

export const objectCases: readonly Case[] = [
  {
    title: 'an object of any size comes back byte by byte, also after opening the store again',
    async run(t, harness) {
      const place = harness.newPlace()
      const store = await openStore(place)
      await store.buckets.create('b')
      const contents = sizes.map(randomContent)
      for (const [i, content] of contents.entries()) {
        t.deepEqual(await store.objects.put('b', `k${i}`, streamOf(content)), { size: content.length })
      }
      await store.close()
      const { objects, close } = await openStore(place)
      t.teardown(close)
      for (const [i, content] of contents.entries()) {
        t.true((await bytesOf(objects, 'b', `k${i}`))?.equals(content), `${content.length} bytes`)
        t.is((await objects.stat('b', `k${i}`))?.size, content.length)
      }
    },
  },
  {
    title: 'an object that is not there is undefined, and removing it false',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      t.is(await objects.get('b', 'none'), undefined)
      t.is(await objects.stat('b', 'none'), undefined)
      t.false(await objects.remove('b', 'none'))
    },
  },
  {
    title: 'a put replaces the object and changes its version; whoever reads has the one that he began with',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const old = randomContent(4 * mebibyte)
      await objects.put('b', 'k', streamOf(old))
      const before = await objects.stat('b', 'k')
      const reading = await objects.get('b', 'k')
      await objects.put('b', 'k', streamOf('new'))
      t.is(await textOf(objects, 'b', 'k'), 'new')
      t.not((await objects.stat('b', 'k'))?.version, before?.version)
      t.is(reading?.version, before?.version)
      t.true(reading && Buffer.concat(await reading.stream.toArray()).equals(old))
    },
  },
  {
    title: 'a removed object is gone',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      await objects.put('b', 'k', streamOf('v'))
      t.true(await objects.remove('b', 'k'))
      t.is(await objects.get('b', 'k'), undefined)
      t.deepEqual(await keysIn(objects, 'b'), [])
    },
  },
  {
    title: 'a range is cut at the end of the object, and refused where it has no byte of it',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      await objects.put('b', 'k', streamOf('0123456789'))
      await objects.put('b', 'empty', streamOf(''))
      const read = async (offset: number, length: number) => {
        const object = await objects.get('b', 'k', { offset, length })
        return object && [object.size, await text(object.stream)]
      }
      t.deepEqual(await read(0, 1), [10, '0'])
      t.deepEqual(await read(2, 3), [10, '234'])
      t.deepEqual(await read(8, 5), [10, '89'])
      t.deepEqual(await read(4, Infinity), [10, '456789'])
      for (const [offset, length] of [
        [10, 1],
        [99, 1],
        [0, 0],
        [-1, 2],
        [0.5, 1],
      ] as const) {
        await throwsFault(t, 'invalid', () => read(offset, length))
      }
      await throwsFault(t, 'invalid', () => objects.get('b', 'empty', { offset: 0, length: 1 }))
    },
  },
  {
    title: 'a list is in the order of the bytes, with sizes, of those keys that start with the prefix',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const keys = ['B', 'a-x', 'a.x', 'a/x', 'a/y/z', 'a0', 'aa', 'b', 'é', '\uffee', '😀']
      for (const key of keys.toReversed()) await objects.put('b', key, streamOf(key))
      t.deepEqual(await keysIn(objects, 'b'), keys)
      t.deepEqual(await keysIn(objects, 'b', 'a'), keys.slice(1, 7))
      t.deepEqual(await keysIn(objects, 'b', 'a/'), ['a/x', 'a/y/z'])
      t.deepEqual(await keysIn(objects, 'b', 'a/y/z'), ['a/y/z'])
      t.deepEqual(await keysIn(objects, 'b', 'none'), [])
      for await (const { key, size } of objects.list('b')) t.is(size, Buffer.byteLength(key))
    },
  },
  {
    title: 'a list has all of more keys than fit into one answer of S3',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const keys = Array.from({ length: 1_003 }, (_, i) => `k${String(i).padStart(5, '0')}`)
      const lanes = Array.from({ length: 16 }, (_, lane) => keys.filter((_key, i) => i % 16 === lane))
      await Promise.all(
        lanes.map(async (lane) => {
          for (const key of lane) await objects.put('b', key, streamOf('v'))
        }),
      )
      t.deepEqual(await keysIn(objects, 'b'), keys)
    },
  },
]
