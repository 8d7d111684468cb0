import { createIntegers } from './growing-list.ts'
import { murmur3 } from './murmur.ts'
import type { Statistics } from './statistics.ts'

/** An attribute with more different words than this is hashed. */
export const maxWords = 10_000

/** Up to so many columns of an attribute are no burden to any algorithm. */
export const fewPlaces = 64

/** The places of a hashed attribute, a power of two; one place more stands for missing words. */
const usualBuckets = 16_384

/** `categories` in the order of first appearance, each a place; a missing word is the empty one. */
type Places =
  | { readonly name: string; readonly categories: readonly string[] }
  | { readonly name: string; readonly buckets: number }

/** Each place is a column of its own; with `statistics` these are the columns, and a place chooses their values. */
export type WordEncoding = Places & { readonly statistics?: Statistics }

/** Why words are hashed: there are more than `maxWords`, the request asks for it, they have too many characters, or memory is short. */
export type WhyHashed = 'many' | 'asked' | 'long' | 'memory'

export const placesOf = (encoding: WordEncoding): number =>
  'categories' in encoding ? encoding.categories.length : encoding.buckets + 1

export const widthOf = (encoding: WordEncoding): number => encoding.statistics?.width ?? placesOf(encoding)

const bucketOf = (word: string, buckets: number): number => (word === '' ? buckets : murmur3(word) % buckets)

/** The categories that some rows have, in the order of all; words that are hashed are hashed whatever the rows. */
export function encodingOf({ codes, encoding }: { codes: Int32Array; encoding: WordEncoding }, rows: Int32Array) {
  if (!('categories' in encoding)) return encoding
  const seen = new Set<number>()
  for (const row of rows) seen.add(codes[row] ?? 0)
  return { ...encoding, categories: encoding.categories.filter((_, code) => seen.has(code)) }
}

/** By code of the table, the place in an encoding of some of its rows; -1 for a category that these rows do not have. */
export function placeOfCode(table: WordEncoding, encoding: WordEncoding): Int32Array {
  if (!('categories' in table && 'categories' in encoding)) {
    return Int32Array.from({ length: placesOf(encoding) }, (_, place) => place)
  }
  const places = new Map(encoding.categories.map((category, place) => [category, place]))
  return Int32Array.from(table.categories, (category) => places.get(category) ?? -1)
}

/** The bytes that a word of a dictionary takes in JavaScript's heap, about. */
export const wordBytes = (word: string): number => 80 + 2 * word.length

/** Room for the dictionaries of all attributes of a table. */
export type WordRoom = { left: number }

/** Threads that train have a heap of 1 GB at least, in which dictionaries lie two or three times on their way. */
const dictionaryBytes = 128 * 1024 * 1024

export const createWordRoom = (): WordRoom => ({ left: dictionaryBytes })

export type WordColumnOptions = { readonly buckets?: number | undefined; readonly room?: WordRoom }

/** The words of one attribute as numbers: they are kept in a dictionary while there is room for it, and then hashed. */
export function createWordColumn(name: string, { buckets: asked, room = createWordRoom() }: WordColumnOptions = {}) {
  const categories = new Map<string, number>()
  const codes = createIntegers()
  const buckets = asked ?? usualBuckets
  let why: WhyHashed | undefined = asked === undefined ? undefined : 'asked'
  let held = 0
  let missing = 0

  const whyNot = (bytes: number): WhyHashed | undefined => {
    if (categories.size >= maxWords) return 'many'
    return categories.size >= fewPlaces && bytes > room.left ? 'long' : undefined
  }

  const hashAll = (): void => {
    const bucketOfCode = Int32Array.from(categories.keys(), (category) => bucketOf(category, buckets))
    const before = codes.values()
    for (const [i, code] of before.entries()) before[i] = bucketOfCode[code] ?? 0
    categories.clear()
    room.left += held
    held = 0
  }

  const codeOf = (word: string): number => {
    if (why !== undefined) return bucketOf(word, buckets)
    const known = categories.get(word)
    if (known !== undefined) return known
    const bytes = wordBytes(word)
    why = whyNot(bytes)
    if (why !== undefined) {
      hashAll()
      return bucketOf(word, buckets)
    }
    categories.set(word, categories.size)
    room.left -= bytes
    held += bytes
    return categories.size - 1
  }

  return {
    add: (word: string) => {
      if (word === '') missing += 1
      codes.push(codeOf(word))
    },
    /** The bytes of the dictionary. */
    bytes: (): number => held,
    finish: () => {
      const encoding: WordEncoding =
        why === undefined ? { name, categories: [...categories.keys()] } : { name, buckets }
      return { kind: 'word' as const, codes: codes.values(), missing, encoding, ...(why && { why }) }
    },
  }
}

/** The fewest buckets that tell words apart well enough to be of use. */
const fewestBuckets = 16

type Words = { readonly codes: Int32Array; readonly encoding: WordEncoding; readonly why?: WhyHashed }

/**
 * Fewer places: half as many buckets, or for many words with a place each about as many buckets as half of them. Undefined
 * where there are no fewer, and where the request says how many there are. A word's bucket is again its hash by their number.
 */
export function narrowed<Column extends Words>(words: Column): Column | undefined {
  const { codes, encoding, why } = words
  if (why === 'asked') return undefined
  if ('categories' in encoding) {
    const { name, categories } = encoding
    if (categories.length <= fewPlaces) return undefined
    const buckets = 2 ** Math.floor(Math.log2(categories.length / 2))
    const bucketOfCode = Int32Array.from(categories, (category) => bucketOf(category, buckets))
    return { ...words, codes: codes.map((code) => bucketOfCode[code] ?? 0), encoding: { name, buckets }, why: 'memory' }
  }
  if (encoding.buckets <= fewestBuckets) return undefined
  const buckets = encoding.buckets / 2
  const fewer = codes.map((code) => (code === encoding.buckets ? buckets : code % buckets))
  return { ...words, codes: fewer, encoding: { ...encoding, buckets }, why: 'memory' }
}
