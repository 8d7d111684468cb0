/** The encoding of the memory's values, beside that of the codec which reads them. */
import { join } from 'node:path'
import test from 'ava'
import { open } from 'lmdb'
import { type Codec, createEncode } from '../../../infra/memory/encode.ts'
import { openRuleTrees } from '../../../infra/memory/records.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor, runs } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = open({ path: join(temporaryFolder(), 'trees') })
const { codec } = openRuleTrees(root)
// Lmdb's types leave `encoder` out.
const packed = { name: 'codec', encoder: { useRecords: false, useBigIntExtension: true } }
const { encoder } = root.openDB(packed) as unknown as { readonly encoder: Codec }
test.after.always(() => root.close())

const numbers = [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 0.1, 5e-324, 1.7e308]
const lengths = [0, 1, 31, 32, 63, 64, 255, 256]
const leaves: readonly unknown[] = [
  ...numbers.flatMap((each) => [each, -each]),
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...lengths.flatMap((length) => ['x'.repeat(length), 'ü'.repeat(length), `${'x'.repeat(length)}\u{1f600}`]),
  ...[true, false, null, undefined, '\u007f', '\u0080', '\0', '\ud800', 12n, -(2n ** 63n), 2n ** 70n, '__proto'],
]

function valueOf(random: Random, depth: number): unknown {
  const whole = (most: number): number => Math.floor(random.next() * most)
  const kind = depth === 0 ? 0 : whole(4)
  if (kind < 2) return leaves[whole(leaves.length)]
  const count = [whole(4), whole(40), 15, 16][whole(4)] ?? 0
  const items = Array.from({ length: count }, () => valueOf(random, depth - 1))
  return kind === 2
    ? items
    : Object.fromEntries(items.map((item, at) => [`${'m'.repeat(whole(40))}ü${at}`.slice(whole(3)), item]))
}

test('each value is read as the codec reads what it writes itself', (t) => {
  for (const leaf of leaves) t.deepEqual(codec.decode(codec.encode(leaf)), encoder.decode(encoder.encode(leaf)))
  const random = randomFor(t)
  for (let run = 0; run < runs(60, 5_000); run++) {
    const value = valueOf(random, 3)
    t.deepEqual(codec.decode(codec.encode(value)), encoder.decode(encoder.encode(value)))
  }
})

test('a list of many items, and one that needs more room than any before, is read as it was', (t) => {
  const isRead = (value: unknown) => t.is(JSON.stringify(codec.decode(codec.encode(value))), JSON.stringify(value))
  isRead(Array.from({ length: 70_000 }, (_, index) => [index, `key ${index}`, -index / 3, null]))
  isRead(['a'.repeat(9_000_000), 1, 'b'])
  isRead(['a'.repeat(65_535), 'b'.repeat(65_536), 'ü'.repeat(65_536)])
  isRead([7])
})

test('a value that the codec refuses is refused, and the next one is written', (t) => {
  const encode = createEncode({
    ...encoder,
    encode: () => {
      throw new Error('refused')
    },
  })
  t.throws(() => encode([1, 'text', 5n]), { message: 'refused' })
  t.deepEqual(encoder.decode(encode([1, 'text'])), [1, 'text'])
})
