import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { bucketOf, hashText } from '../../../../learn/algorithms/text/hash.ts'
import { encodeTexts, encodeTokens } from '../../../../learn/algorithms/text/index.ts'
import { classesScheme, entitiesScheme } from '../../../../learn/algorithms/text/scheme.ts'
import { tokenize } from '../../../../learn/algorithms/text/tokens.ts'
import { createRandom } from '../../../support/random/random.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { marked, places, reviews } from './corpora.ts'

const cuts: readonly (readonly [string, readonly string[]])[] = [
  ["Don't stop!", ['Don', "'", 't', 'stop', '!']],
  ['10km at 3.5 €/l', ['10', 'km', 'at', '3', '.', '5', '€', '/', 'l']],
  ['naïve café', ['naïve', 'café']],
  ['我在北京 tokyo東京', ['我', '在', '北', '京', 'tokyo', '東', '京']],
  ['ไทย', ['ไ', 'ท', 'ย']],
  ['한국어 عربي', ['한국어', 'عربي']],
  ['a👍🏽b\u0000c\u200bd\ud800e', ['a', '👍', '🏽', 'b', 'c', 'd', 'e']],
  [' \t\n\u00a0', []],
]

for (const [text, words] of cuts) {
  test(`tokens of ${JSON.stringify(text)}`, (t) => {
    const tokens = tokenize(text)
    t.deepEqual(
      tokens.map((token) => token.text),
      words,
    )
    for (const { text: word, start, end } of tokens) t.is(text.slice(start, end), word)
  })
}

test('the hash is FNV-1a over UTF-8, also of halves of surrogate pairs', (t) => {
  // The first three are test vectors of the hash's authors.
  const vectors: readonly (readonly [string, number])[] = [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ]
  for (const [text, hash] of vectors) t.is(hashText(text) >>> 0, hash)
  const byBytes = (text: string): number =>
    new TextEncoder().encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5)
  const texts = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
  fc.assert(fc.property(texts, (text) => hashText(text) >>> 0 === byBytes(text) >>> 0))
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 22 }), (text, bits) => bucketOf(hashText(text), bits) < 2 ** bits),
  )
  t.pass()
})

/** The features that the documented Python file makes of each text. */
function inPython(scheme: string, texts: readonly string[]): unknown[] {
  const file = join(temporaryFolder(), 'scheme.json')
  writeFileSync(file, scheme)
  const script = new URL('../../../../docs/models/text_features.py', import.meta.url).pathname
  const input = texts.map((text) => `${JSON.stringify(text)}\n`).join('')
  const { stdout, stderr, status } = spawnSync('python3', [script, file], { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const random = createRandom(7)
const letters = Array.from('aBzÄßŁλΣςЖшİıǅ12٣Ⅷ-.,!“”€+_ \t\n\u00a0\u0301e我東ไコ한عक़🌧𝒜👍🏽')
const strange = Array.from({ length: 60 }, () =>
  Array.from({ length: random.whole(0, 30) }, () => random.pick(letters)).join(''),
)
const texts = ['', ...strange, ...[...marked(20, 1), ...reviews(5, 1), ...places(5, 1)].map(({ text }) => text)]

test('the documented Python file counts the same features of a text', (t) => {
  for (const scheme of [
    { bits: 18, wordNgrams: 2, charNgrams: 5 },
    { bits: 8, wordNgrams: 3, charNgrams: 0 },
  ]) {
    const own = texts.map((text) => {
      const { buckets, counts, dims } = encodeTexts([text], scheme)
      const isEmpty = buckets[0] === 2 ** scheme.bits
      t.is(dims[1], buckets.length)
      return isEmpty ? { buckets: [], counts: [] } : { buckets: [...buckets], counts: [...counts] }
    })
    t.deepEqual(inPython(classesScheme(scheme), texts), own)
  }
})

test('the documented Python file gives each token the same features and offsets', (t) => {
  const own = texts.map((text) => {
    const { tokens, buckets, dims } = encodeTokens([text], 18)
    return {
      tokens: tokens.flat().map(({ start, end }) => [start, end]),
      buckets: Array.from({ length: dims[0] }, (_, row) => [...buckets.subarray(row * dims[1], (row + 1) * dims[1])]),
    }
  })
  t.deepEqual(inPython(entitiesScheme(18, ['x']), texts), own)
})
