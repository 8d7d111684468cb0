import { createIntegers } from './growing-list.ts'
import { murmur3 } from './murmur.ts'

/** An attribute with more different words than this is hashed. */
const maxCategories = 64

/** The columns of a hashed attribute, a power of two; one column more stands for missing words. */
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
  const codes = createIntegers()
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
    const before = codes.values()
    for (const [i, code] of before.entries()) before[i] = buckets[code] ?? 0
    categories.clear()
    return bucketOf(word, hashBuckets)
  }

  return {
    add: (word: string) => {
      if (word === '') missing += 1
      codes.push(codeOf(word))
    },
    finish: () => {
      const encoding: WordEncoding = hashed
        ? { name, buckets: hashBuckets }
        : { name, categories: [...categories.keys()] }
      return { kind: 'word' as const, codes: codes.values(), missing, encoding }
    },
  }
}

/** The fewest buckets that tell words apart well enough to be of use. */
const fewestBuckets = 16

/** Half as many buckets for words that are hashed; undefined where there are no fewer. A word's is again its hash by their number. */
export function halved<Words extends { readonly codes: Int32Array; readonly encoding: WordEncoding }>(
  words: Words,
): Words | undefined {
  const { codes, encoding } = words
  if ('categories' in encoding || encoding.buckets <= fewestBuckets) return undefined
  const buckets = encoding.buckets / 2
  const fewer = codes.map((code) => (code === encoding.buckets ? buckets : code % buckets))
  return { ...words, codes: fewer, encoding: { ...encoding, buckets } }
}
