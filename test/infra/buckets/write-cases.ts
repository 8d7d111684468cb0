import { Readable } from 'node:stream'
import { rounds } from '../../support/random/seed.ts'
import { bytesOf, type Case, keysIn, randomContent, storeWithBucket, streamOf, textOf, throwsFault } from './harness.ts'

const mebibyte = 1024 * 1024

async function* breaking(bytes: number) {
  for (let sent = 0; sent < bytes; sent += mebibyte) yield Buffer.alloc(mebibyte, 'x')
  throw new Error('the client went away')
}

export const writeCases: readonly Case[] = [
  {
    title: 'content that breaks off changes nothing, be it short or long',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      await objects.put('b', 'there', streamOf('before'))
      for (const bytes of [0, mebibyte, 20 * mebibyte]) {
        for (const key of ['there', 'new']) {
          const content = Readable.from(breaking(bytes), { objectMode: false })
          await t.throwsAsync(() => objects.put('b', key, content), { message: 'the client went away' })
          t.true(content.destroyed)
        }
      }
      t.is(await textOf(objects, 'b', 'there'), 'before')
      t.deepEqual(await keysIn(objects, 'b'), ['there'])
    },
  },
  {
    title: 'content that is destroyed without an error changes nothing',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const content = new Readable({ read() {} })
      content.push(Buffer.alloc(mebibyte))
      setTimeout(() => content.destroy(), 50)
      await t.throwsAsync(() => objects.put('b', 'k', content))
      t.deepEqual(await keysIn(objects, 'b'), [])
    },
  },
  {
    title:
      'of writers of one key at a time one stays whole, who begins after their answers wins, and no reader sees a mixture',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const contents = Array.from({ length: rounds(12, 6) }, (_, i) => Buffer.alloc(9 * mebibyte + i, 65 + i))
      let isWriting = true
      const writing = Promise.all(
        contents.map((content) => objects.put('b', 'k', Readable.from(pieces(content)))),
      ).finally(() => {
        isWriting = false
      })
      while (isWriting) {
        const seen = await bytesOf(objects, 'b', 'k')
        if (seen) t.true(contents.some((content) => content.equals(seen)))
      }
      await writing
      const left = await bytesOf(objects, 'b', 'k')
      t.true(left !== undefined && contents.some((content) => content.equals(left)))
      await objects.put('b', 'k', streamOf('begun after them'))
      t.is(await textOf(objects, 'b', 'k'), 'begun after them')
    },
  },
  {
    title: "writers and removers of many keys do not get in each other's way",
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await objects.put('b', `k${i}`, streamOf(`first ${i}`))
          await objects.put('b', `k${i}`, streamOf(`second ${i}`))
          if (i % 2) await objects.remove('b', `k${i}`)
        }),
      )
      t.deepEqual((await keysIn(objects, 'b')).length, 10)
      for (let i = 0; i < 20; i += 2) t.is(await textOf(objects, 'b', `k${i}`), `second ${i}`)
    },
  },
  {
    title: 'a put into a bucket that is removed meanwhile is refused, and the bucket stays away',
    async run(t, harness) {
      const { buckets, objects } = await storeWithBucket(t, harness)
      const content = new Readable({ read() {} })
      content.push(randomContent(mebibyte))
      const putting = objects.put('b', 'k', content)
      await new Promise((resolve) => setImmediate(resolve))
      await buckets.remove('b')
      content.push(null)
      await throwsFault(t, 'missing', () => putting)
      t.deepEqual(await buckets.list(), [])
    },
  },
]

async function* pieces(content: Buffer) {
  for (let start = 0; start < content.length; start += mebibyte) {
    yield content.subarray(start, start + mebibyte)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
