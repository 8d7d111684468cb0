import { murmur3 } from './murmur.ts'

/** An attribute with more different words than this is hashed. */
const maxCategories = 64

/** Of a hashed attribute; one column more stands for missing words. */
const hashBuckets = 256

/** `categories` in the order of first appearance, each a column; a missing word is the empty one. */
export type WordEncoding =
  | { readonly name: string; readonly categories: readonly string[] }
  | { readonly name: string; readonly buckets: number }

export const widthOf = (encoding: WordEncoding): number =>
  'categories' in encoding ? encoding.categories.length : encoding.buckets + 1

const bucketOf = (word: string, buckets: number): number => (word === '' ? buckets : murmur3(word) % buckets)

/** The categories that some rows have, in the order of all; words that are hashed are hashed whatever the rows. */
export function encodingOf({ codes, encoding }: { codes: Int32Array; encoding: WordEncoding }, rows: Int32Array) {
  if (!('categories' in encoding)) return encoding
  const seen = new Set<number>()
  for (const row of rows) seen.add(codes[row] ?? 0)
  return { ...encoding, categories: encoding.categories.filter((_, code) => seen.has(code)) }
}

/** The words of one attribute as numbers: they are kept in a dictionary while there are few, and then hashed. */
export function createWordColumn(name: string) {
  const categories = new Map<string, number>()
  let codes = new Int32Array(1024)
  let length = 0
  let hashed = false
  let missing = 0

  const codeOf = (word: string): number => {
    if (hashed) return bucketOf(word, hashBuckets)
    const known = categories.get(word)
    if (known !== undefined) return known
    if (categories.size < maxCategories) {
      categories.set(word, categories.size)
      return categories.size - 1
    }
    hashed = true
    const buckets = Int32Array.from(categories.keys(), (category) => bucketOf(category, hashBuckets))
    for (let i = 0; i < length; i += 1) codes[i] = buckets[codes[i] ?? 0] ?? 0
    categories.clear()
    return bucketOf(word, hashBuckets)
  }

  return {
    add: (word: string) => {
      if (word === '') missing += 1
      const code = codeOf(word)
      if (length === codes.length) codes = grown(codes)
      codes[length] = code
      length += 1
    },
    finish: () => {
      const encoding: WordEncoding = hashed
        ? { name, buckets: hashBuckets }
        : { name, categories: [...categories.keys()] }
      return { kind: 'word' as const, codes: codes.subarray(0, length), missing, encoding }
    },
  }
}

function grown(codes: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(codes.length * 2)
  larger.set(codes)
  return larger
}
