import { bucketOf, hashPoint, hashText } from '../hash.ts'
import { createIntList } from '../int-list.ts'
import { tokenize } from '../tokens.ts'

export type FeatureScheme = {
  readonly bits: number
  /** Runs of 1 to this many words. */
  readonly wordNgrams: number
  /** Runs of `shortest` to this many characters inside a word; less than `shortest` is none. */
  readonly charNgrams: number
}

const shortest = 3
const blank = 0x20

const wordStart = hashText('w')
const charStart = hashText('c ')

/** The buckets of a text's features, ascending, and how often each occurs. */
export type Counts = { readonly buckets: Int32Array; readonly counts: Float32Array }

/**
 * Words are tokens in lower case. A run of words is the feature `w good idea`, a run of characters `c  go`, where the
 * word has a blank at either end.
 */
export function countFeatures(text: string, scheme: FeatureScheme): Counts {
  const words = tokenize(text).map((token) => token.text.toLowerCase())
  const found = createIntList()
  const take = (hash: number): void => {
    found.push(bucketOf(hash, scheme.bits))
  }
  for (let at = 0; at < words.length; at += 1) {
    let hash = wordStart
    const end = Math.min(at + scheme.wordNgrams, words.length)
    for (let next = at; next < end; next += 1) {
      hash = hashText(words[next] ?? '', hashPoint(blank, hash))
      take(hash)
    }
  }
  for (const word of words) takeCharacters(word, scheme.charNgrams, take)
  return countSorted(found.values().sort())
}

function takeCharacters(word: string, longest: number, take: (hash: number) => void): void {
  const points: number[] = [blank]
  for (const character of word) points.push(character.codePointAt(0) ?? 0)
  points.push(blank)
  for (let start = 0; start + shortest <= points.length; start += 1) {
    let hash = charStart
    const end = Math.min(start + longest, points.length)
    for (let at = start; at < end; at += 1) {
      hash = hashPoint(points[at] ?? 0, hash)
      if (at - start + 1 >= shortest) take(hash)
    }
  }
}

function countSorted(sorted: Int32Array): Counts {
  const buckets = new Int32Array(sorted.length)
  const counts = new Float32Array(sorted.length)
  let last = -1
  for (const bucket of sorted) {
    if (last < 0 || buckets[last] !== bucket) last += 1
    buckets[last] = bucket
    counts[last] = (counts[last] ?? 0) + 1
  }
  return { buckets: buckets.slice(0, last + 1), counts: counts.slice(0, last + 1) }
}
