import { type Case, keysIn, openStore, storeWithBucket, streamOf, textOf, throwsFault } from './harness.ts'

export const bucketCases: readonly Case[] = [
  {
    title: 'a new store has no buckets, and a bucket that is created is there after opening it again',
    async run(t, harness) {
      const place = harness.newPlace()
      const store = await openStore(place)
      t.deepEqual(await store.buckets.list(), [])
      t.false(await store.buckets.has('ml_bucket_info'))
      await store.buckets.create('ml_bucket_info')
      await store.close()
      const again = await openStore(place)
      t.teardown(() => again.close())
      t.deepEqual(await again.buckets.list(), ['ml_bucket_info'])
      t.true(await again.buckets.has('ml_bucket_info'))
    },
  },
  {
    title: 'buckets whose names differ only in case or signs are different buckets',
    async run(t, harness) {
      const store = await storeWithBucket(t, harness)
      const names = ['Data', 'a-0b', 'a-_b', 'a-b', 'a0', 'a__b', 'a_b', 'data', 'dATA', '0', `l${'0'.repeat(30)}g`]
      for (const name of names) await store.buckets.create(name)
      t.deepEqual(await store.buckets.list(), [...names, 'b'].sort())
      for (const name of names) {
        await store.objects.put(name, 'k', streamOf(name))
        t.deepEqual((await store.objects.stat(name, 'k'))?.size, name.length)
      }
    },
  },
  {
    title: 'a bucket that is set aside is in no list, leaves its name free, and comes back with its objects',
    async run(t, harness) {
      const place = harness.newPlace()
      const store = await openStore(place)
      const { buckets, objects } = store
      await buckets.create('b')
      const keys = ['a', 'deep/er/key', 'with blank+plus%2f', 'ä', ...Array.from({ length: 40 }, (_, n) => `many/${n}`)]
      for (const key of keys) await objects.put('b', key, streamOf(`bytes of ${key}`))
      // Each step is safe to repeat: it may have been cut off behind its last write.
      for (let twice = 0; twice < 2; twice++) await buckets.setAside('b', '0123456789abcdef')
      t.deepEqual([await buckets.list(), await buckets.has('b')], [[], false])
      await buckets.create('b')
      await objects.put('b', 'a', streamOf('another'))
      await objects.remove('b', 'a')
      await buckets.remove('b')
      await store.close()
      const again = await openStore(place)
      t.teardown(() => again.close())
      for (let twice = 0; twice < 2; twice++) await again.buckets.bringBack('0123456789abcdef', 'b')
      t.deepEqual(await keysIn(again.objects, 'b'), keys.toSorted())
      for (const key of keys) t.is(await textOf(again.objects, 'b', key), `bytes of ${key}`)
      await again.buckets.setAside('b', 'fedcba9876543210')
      for (let twice = 0; twice < 2; twice++) await again.buckets.removeAside('fedcba9876543210')
      t.deepEqual(await again.buckets.list(), [])
    },
  },
  {
    title: 'a bucket is created once',
    async run(t, harness) {
      const { buckets } = await storeWithBucket(t, harness)
      await throwsFault(t, 'conflict', () => buckets.create('b'), /there is a bucket b already/)
    },
  },
  {
    title: 'a name that is none is refused by every call',
    async run(t, harness) {
      const { buckets, objects } = await storeWithBucket(t, harness)
      const bad = [
        '',
        '.',
        '..',
        '../b',
        'a/b',
        '/etc',
        'a.b',
        '.records',
        'a b',
        '_a',
        'a_',
        '-a',
        'ä',
        'a\0',
        'a'.repeat(64),
      ]
      for (const name of bad) {
        await throwsFault(t, 'invalid', () => buckets.create(name), /cannot name a bucket/)
        await throwsFault(t, 'invalid', () => buckets.has(name))
        await throwsFault(t, 'invalid', () => buckets.remove(name))
        await throwsFault(t, 'invalid', () => objects.put(name, 'k', streamOf('v')))
        await throwsFault(t, 'invalid', () => objects.get(name, 'k'))
        await throwsFault(t, 'invalid', async () => objects.list(name)[Symbol.asyncIterator]().next())
      }
      t.deepEqual(await buckets.list(), ['b'])
    },
  },
  {
    title: 'only an empty bucket is removed',
    async run(t, harness) {
      const { buckets, objects } = await storeWithBucket(t, harness)
      await objects.put('b', 'k', streamOf('v'))
      await throwsFault(t, 'conflict', () => buckets.remove('b'))
      t.true(await buckets.has('b'))
      await objects.remove('b', 'k')
      await buckets.remove('b')
      t.false(await buckets.has('b'))
      await throwsFault(t, 'missing', () => buckets.remove('b'))
    },
  },
  {
    title: 'every call on the objects of a bucket that is not there says so',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      await throwsFault(t, 'missing', () => objects.put('other', 'k', streamOf('v')), /bucket/)
      await throwsFault(t, 'missing', () => objects.get('other', 'k'), /bucket/)
      await throwsFault(t, 'missing', () => objects.stat('other', 'k'), /bucket/)
      await throwsFault(t, 'missing', () => objects.remove('other', 'k'), /bucket/)
      await throwsFault(t, 'missing', async () => objects.list('other')[Symbol.asyncIterator]().next(), /bucket/)
    },
  },
  {
    title: 'records are kept beside the buckets: of any bucket, listed nowhere, reached by no name',
    async run(t, harness) {
      const { buckets, records } = await storeWithBucket(t, harness)
      t.is(await records.read('none'), undefined)
      await records.write('none', '{"a":1}')
      await records.write('none', '{"a":2}')
      t.is(await records.read('none'), '{"a":2}')
      t.deepEqual(await buckets.list(), ['b'])
      await records.remove('none')
      await records.remove('none')
      t.is(await records.read('none'), undefined)
    },
  },
]
