import type { ExecutionContext } from 'ava'
import { createBuckets, systemBuckets } from '../../../activities/objects/buckets.ts'
import { type Case, type Harness, openStore, streamOf, throwsFault } from './harness.ts'

const keys = { accessKey: 'me', secretKey: 'a secret' }

async function opened(t: ExecutionContext, harness: Harness) {
  const place = harness.newPlace()
  const store = await openStore(place)
  t.teardown(() => store.close())
  return { place, store, buckets: createBuckets(store) }
}

export const keyedBucketCases: readonly Case[] = [
  {
    title: 'the system buckets are there from the start, open, and stay',
    async run(t, harness) {
      const { buckets } = await opened(t, harness)
      await Promise.all([buckets.ensure(), buckets.ensure()])
      await buckets.ensure()
      t.deepEqual(await buckets.list(), [...systemBuckets])
      for (const bucket of systemBuckets) {
        await buckets.admit(bucket)
        await throwsFault(t, 'conflict', () => buckets.remove(bucket), /system bucket/)
        await throwsFault(t, 'conflict', () => buckets.create(bucket, keys), /already/)
        await buckets.admit(bucket)
      }
    },
  },
  {
    title: 'a bucket with keys opens to these alone, also after opening the store again',
    async run(t, harness) {
      const { buckets, place } = await opened(t, harness)
      await buckets.create('b', keys)
      const again = await openStore(place)
      t.teardown(() => again.close())
      for (const { admit } of [buckets, createBuckets(again)]) {
        await admit('b', keys)
        await admit('b', keys)
        for (const wrong of [
          {},
          { ...keys, secretKey: 'another' },
          { ...keys, secretKey: undefined },
          { ...keys, secretKey: 'x'.repeat(10_000) },
          { ...keys, accessKey: 'you' },
          { secretKey: keys.secretKey },
        ]) {
          await throwsFault(t, 'forbidden', () => admit('b', wrong), /bucket b has keys/)
        }
      }
    },
  },
  {
    title: 'a secret is kept as a salted hash, and nowhere listed',
    async run(t, harness) {
      const { buckets, store } = await opened(t, harness)
      await buckets.create('one', keys)
      await buckets.create('two', keys)
      const [one, two] = [await store.records.read('one'), await store.records.read('two')]
      t.regex(one ?? '', /^\{"accessKey":"me","secretHash":"[\w-]{22}\.[\w-]{43}"\}$/)
      t.not(one, two)
      t.deepEqual(await buckets.list(), ['one', 'two'])
    },
  },
  {
    title: 'keys come in pairs, of a bounded length',
    async run(t, harness) {
      const { buckets } = await opened(t, harness)
      for (const half of [
        { accessKey: 'me' },
        { secretKey: 's' },
        { accessKey: '', secretKey: 's' },
        { accessKey: 'me', secretKey: '' },
        { accessKey: 'me', secretKey: 's'.repeat(257) },
      ]) {
        await throwsFault(t, 'invalid', () => buckets.create('b', half), /go together/)
      }
      t.deepEqual(await buckets.list(), [])
    },
  },
  {
    title: 'of two who create one bucket at once one does, and his keys hold',
    async run(t, harness) {
      const { buckets } = await opened(t, harness)
      const [one, two] = await Promise.allSettled([
        buckets.create('b', keys),
        buckets.create('b', { ...keys, secretKey: 'another' }),
      ])
      t.deepEqual([one.status, two.status], ['fulfilled', 'rejected'])
      await buckets.admit('b', keys)
    },
  },
  {
    title: 'a bucket is removed with its own keys only, and its name is free again, without keys',
    async run(t, harness) {
      const { buckets, store } = await opened(t, harness)
      await buckets.create('b', keys)
      await throwsFault(t, 'forbidden', () => buckets.remove('b'))
      await store.objects.put('b', 'k', streamOf('v'))
      await throwsFault(t, 'conflict', () => buckets.remove('b', keys), /holds objects|not empty/)
      await throwsFault(t, 'forbidden', () => buckets.admit('b'))
      await store.objects.remove('b', 'k')
      await buckets.remove('b', keys)
      await throwsFault(t, 'missing', () => buckets.remove('b'))
      await buckets.create('b')
      await buckets.admit('b')
    },
  },
  {
    title: 'the keys of a bucket whose creation broke off are those of the next one who creates it',
    async run(t, harness) {
      const { buckets, store } = await opened(t, harness)
      await store.records.write('b', '{"accessKey":"gone","secretHash":"x.y"}')
      await buckets.create('b', keys)
      await t.notThrowsAsync(() => buckets.admit('b', keys))
      await store.records.write('open', '{"accessKey":"gone","secretHash":"x.y"}')
      await buckets.create('open')
      await t.notThrowsAsync(() => buckets.admit('open'))
    },
  },
]
