import { type Case, keysIn, storeWithBucket, streamOf, textOf, throwsFault } from './harness.ts'

/** One segment each, or several that no other key is in the way of. */
const odd = [
  'A', 'a', 'ä', 'a\u0308', 'x y', ' x ', 'x+y', '%', '%2f', 'x%2fy', '.hidden', '...', '..a', 'a..', 'a.', '~',
  'back\\slash', 'tab\tx', 'line\nx', 'return\rx', '\u007f', '"q"', "'q'", '<xml>&amp;', '?q=1', '#h', 'c:d', '*', '|',
  'con', 'q/', 's//r', 'u/./r', '.', 't//', 'v/%-', '%-', '.%-', '%-%-', '/a', '//a', '/etc/passwd', '日本/語.csv', '😀', '\uFFFD', '\uE000', '\u2028', 'm__s__f.csv', 'd/e/f', 'x'.repeat(255), `${'p/'.repeat(511)}p`,
] // biome-ignore format: a table

/** A path cannot hold all of them at once, nor the last two at all. */
const beyondPaths = [
  '/',
  'f',
  'f/g',
  'f/g/h',
  `${'x'.repeat(200)}`,
  'x'.repeat(256),
  '日'.repeat(341),
  'X'.repeat(1024),
]

const bad = [
  '', '..', '../a', '/..', '/../a', 'a/..', 'a/../b', 'a/./../b', '../../etc/passwd',
  'a\0b', '\ud800', 'x'.repeat(1025), 'é'.repeat(513),
] // biome-ignore format: a table

export const keyCases: readonly Case[] = [
  {
    title: 'a key is kept exactly, whatever signs it has',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      for (const key of odd) await objects.put('b', key, streamOf(`of ${key}`))
      for (const key of odd) t.is(await textOf(objects, 'b', key), `of ${key}`)
      t.deepEqual((await keysIn(objects, 'b')).sort(), odd.toSorted())
      for (const key of odd) t.true(await objects.remove('b', key))
      t.deepEqual(await keysIn(objects, 'b'), [])
    },
  },
  {
    title: 'a prefix finds the keys that begin with it, whatever signs it has',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      const keys = ['p', 'v/', 'w/%-', 'x//y', 'z/./y', '.', '.%']
      for (const key of keys) await objects.put('b', key, streamOf('v'))
      for (const prefix of ['', 'v', 'v/', 'v/%-', 'w/%', 'w/%-', 'x/', 'x//', 'x//y', 'z/.', 'z/./', '.', '.%', '%-'])
        t.deepEqual(
          (await keysIn(objects, 'b', prefix)).toSorted(),
          keys.filter((key) => key.startsWith(prefix)).toSorted(),
          prefix,
        )
    },
  },
  {
    title:
      'a key may go on where another one ends, and be 1024 bytes long; a server of paths refuses what it cannot keep',
    async run(t, harness) {
      const { buckets, objects } = await storeWithBucket(t, harness)
      const kept: string[] = []
      for (const key of beyondPaths) {
        const isRefused = harness.keysArePaths && (key.startsWith('f/') || Buffer.byteLength(key) > 255)
        if (isRefused) {
          await throwsFault(t, key.startsWith('f/') ? 'conflict' : 'invalid', () =>
            objects.put('b', key, streamOf(key)),
          )
        } else {
          await objects.put('b', key, streamOf(key))
          kept.push(key)
        }
      }
      t.deepEqual((await keysIn(objects, 'b')).sort(), kept.toSorted())
      for (const key of kept) t.is(await textOf(objects, 'b', key), key)
      for (const key of kept) t.true(await objects.remove('b', key))
      await buckets.remove('b')
    },
  },
  {
    title: 'a key that leaves its place, or is no text, is refused by every call, and nothing is written',
    async run(t, harness) {
      const { objects } = await storeWithBucket(t, harness)
      for (const key of bad) {
        await throwsFault(t, 'invalid', () => objects.put('b', key, streamOf('v')), /cannot be an object's key/)
        await throwsFault(t, 'invalid', () => objects.get('b', key))
        await throwsFault(t, 'invalid', () => objects.stat('b', key))
        await throwsFault(t, 'invalid', () => objects.remove('b', key))
      }
      t.deepEqual(await keysIn(objects, 'b'), [])
    },
  },
]
