import test from 'ava'
import { assembleModel } from '../../../learn/assemble.ts'
import type { WordEncoding } from '../../../learn/encoding/words.ts'
import { knownWords } from '../../../learn/onnx/known-words.ts'
import { described } from '../../activities/prediction/models.ts'

const many = Array.from({ length: 100 }, (_, i) => `word ${i}`)
const words: readonly WordEncoding[] = [
  { name: 'few', categories: ['Rome', 'Oslo', ''] },
  { name: 'hashed', buckets: 64 },
  { name: 'many', categories: many },
]
const attributes = [
  { name: 'few', position: 0, kind: 'word' as const },
  { name: 'size', position: 1, kind: 'number' as const },
  { name: 'hashed', position: 2, kind: 'word' as const },
  { name: 'many', position: 3, kind: 'word' as const },
]
const size = { name: 'size', mean: 0, min: 0, max: 1, deviation: 1, shift: 0, factor: 1, offset: 0 }
const description = { ...described, attributes }

for (const isWide of [false, true]) {
  test(`a model tells the words that its training saw, by attribute${isWide ? ', where columns are many' : ''}`, (t) => {
    const model = assembleModel({
      encoding: { numbers: [size], words: isWide ? words : words.slice(0, 2) },
      description: { ...description, attributes: isWide ? attributes : attributes.slice(0, 3) },
      addAlgorithm: (_, input) => ({ label: input.all() }),
    })
    const found = knownWords(model, { ...description, attributes: isWide ? attributes : attributes.slice(0, 3) })
    const expected = [new Set(['Rome', 'Oslo', '']), undefined, undefined, new Set(many)]
    t.deepEqual(found, isWide ? expected : expected.slice(0, 3))
  })
}

test("of models of texts, and of a script's, no words are known", (t) => {
  const none = attributes.map(() => undefined)
  t.deepEqual(knownWords(new Uint8Array(), { ...description, outside: ['tokens'] }), none)
  t.deepEqual(knownWords(new Uint8Array(), { ...description, algorithm: 'PY' }), none)
})
