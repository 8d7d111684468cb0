import { bucketOf, hashText } from '../hash.ts'
import type { Token } from '../tokens.ts'

/** The forms that a token shows to its own features and to those of its neighbours. */
type View = {
  readonly word: string
  readonly shape: string
  readonly brief: string
  readonly prefixes: readonly string[]
  readonly suffixes: readonly string[]
}

const affixes = [1, 2, 3, 4] as const
const longestShape = 8

/**
 * `Xxxx` for `Rome`, `99` for `42`: a letter for the class of each character, at most eight; `brief` has each run once.
 * The word is in lower case, its prefixes and suffixes have 1 to 4 characters, or all where it has fewer.
 */
function viewOf(text: string): View {
  const word = text.toLowerCase()
  const characters = Array.from(word)
  const shape = Array.from(text, shown)
  return {
    word,
    shape: shape.slice(0, longestShape).join(''),
    brief: shape.filter((character, at) => character !== shape[at - 1]).join(''),
    prefixes: affixes.map((length) => characters.slice(0, length).join('')),
    suffixes: affixes.map((length) => characters.slice(-length).join('')),
  }
}

const asciiClasses = Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)))

const shown = (character: string): string => asciiClasses[character.codePointAt(0) ?? 0] ?? classOf(character)

function classOf(character: string): string {
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return 'X'
  if (/\p{Ll}/u.test(character)) return 'x'
  if (/\p{L}/u.test(character)) return 'o'
  if (/\p{N}/u.test(character)) return '9'
  return /\p{M}/u.test(character) ? 'm' : character
}

const before: View = viewOf('<s>')
const after: View = viewOf('</s>')

type Place = {
  readonly here: View
  readonly last: View
  readonly next: View
  readonly beforeLast: View
  readonly afterNext: View
  /** Whether nothing separates the token from the one before it. */
  readonly isGlued: boolean
}

/** Every token has each of these features once: its name, a blank, its value. */
const templates: Readonly<Record<string, (place: Place) => string>> = {
  word: ({ here }) => here.word,
  'word-1': ({ last }) => last.word,
  'word+1': ({ next }) => next.word,
  'word-2': ({ beforeLast }) => beforeLast.word,
  'word+2': ({ afterNext }) => afterNext.word,
  'words-1': ({ here, last }) => `${last.word} ${here.word}`,
  'words+1': ({ here, next }) => `${here.word} ${next.word}`,
  shape: ({ here }) => here.shape,
  'shape-1': ({ last }) => last.shape,
  'shape+1': ({ next }) => next.shape,
  brief: ({ here }) => here.brief,
  'briefs-1': ({ here, last }) => `${last.brief} ${here.brief}`,
  'briefs+1': ({ here, next }) => `${here.brief} ${next.brief}`,
  briefs: ({ here, last, next }) => `${last.brief} ${here.brief} ${next.brief}`,
  ...Object.fromEntries(affixes.map((n) => [`prefix${n}`, ({ here }: Place) => here.prefixes[n - 1] ?? ''])),
  ...Object.fromEntries(affixes.map((n) => [`suffix${n}`, ({ here }: Place) => here.suffixes[n - 1] ?? ''])),
  'suffix-1': ({ last }) => last.suffixes[2] ?? '',
  'suffix+1': ({ next }) => next.suffixes[2] ?? '',
  glued: ({ isGlued }) => (isGlued ? '1' : '0'),
}

export const templateNames: readonly string[] = Object.keys(templates)

const starts = Object.entries(templates).map(([name, value]) => ({ start: hashText(`${name} `), value }))

export const featuresPerToken = starts.length

/** `[to - from, featuresPerToken]`, row-major: the bucket of each feature of some tokens of a text. */
export function tokenBuckets(tokens: readonly Token[], bits: number, from = 0, to = tokens.length): Int32Array {
  const start = Math.max(0, from - 2)
  const views = tokens.slice(start, to + 2).map((token) => viewOf(token.text))
  const viewAt = (at: number): View => views[at - start] ?? (at < start ? before : after)
  const buckets = new Int32Array((to - from) * featuresPerToken)
  for (let at = from; at < to; at += 1) {
    const place: Place = {
      here: viewAt(at),
      last: viewAt(at - 1),
      next: viewAt(at + 1),
      beforeLast: viewAt(at - 2),
      afterNext: viewAt(at + 2),
      isGlued: at > 0 && tokens[at - 1]?.end === tokens[at]?.start,
    }
    for (const [index, { start, value }] of starts.entries()) {
      buckets[(at - from) * featuresPerToken + index] = bucketOf(hashText(value(place), start), bits)
    }
  }
  return buckets
}
