import type { Token } from '../tokens.ts'

/** UTF-16 offsets into the text, `end` exclusive. */
export type Entity = { readonly start: number; readonly end: number; readonly label: string }

/** An entity by its tokens, both included; `label` is an index. */
export type Span = { readonly first: number; readonly last: number; readonly label: number }

/**
 * BILOU (Ratinov and Roth 2009): tag 0 is O, outside of entities; label l has four tags from 1 + 4 l: it begins, is
 * inside, ends (last), or is all of one token (unit).
 */
const [begin, inside, last, unit] = [0, 1, 2, 3]

const perLabel = 4

export const tagNames = (labels: readonly string[]): readonly string[] => [
  'O',
  ...labels.flatMap((label) => ['B', 'I', 'L', 'U'].map((part) => `${part}-${label}`)),
]

const partOf = (tag: number): number => (tag === 0 ? -1 : (tag - 1) % perLabel)
const labelOf = (tag: number): number => Math.floor((tag - 1) / perLabel)

export const mayStart = (tag: number): boolean => partOf(tag) !== inside && partOf(tag) !== last
export const mayEnd = (tag: number): boolean => partOf(tag) !== begin && partOf(tag) !== inside
export const mayFollow = (tag: number, next: number): boolean =>
  mayEnd(tag) ? mayStart(next) : !mayStart(next) && labelOf(tag) === labelOf(next)

export function tagsOf(spans: readonly Span[], tokens: number): Int32Array {
  const tags = new Int32Array(tokens)
  for (const { first, last: end, label } of spans) {
    const base = 1 + perLabel * label
    if (first === end) tags[first] = base + unit
    else {
      tags.fill(base + inside, first, end)
      tags[first] = base + begin
      tags[end] = base + last
    }
  }
  return tags
}

/** `tags` is a path in which each one may follow the one before it. */
export function spansOf(tags: Int32Array): readonly Span[] {
  const spans: Span[] = []
  let first = 0
  for (const [at, tag] of tags.entries()) {
    if (partOf(tag) === begin || partOf(tag) === unit) first = at
    if (partOf(tag) === last || partOf(tag) === unit) spans.push({ first, last: at, label: labelOf(tag) })
  }
  return spans
}

/**
 * The tokens that an entity touches, so that one whose bounds cut a word is widened to the word. Undefined where it
 * touches none. `isExact` tells whether its bounds, blanks at its ends aside, are those of its tokens.
 */
export function tokensOf(
  { start, end }: Entity,
  tokens: readonly Token[],
): { readonly first: number; readonly last: number; readonly isExact: boolean } | undefined {
  const first = tokens.findIndex((token) => token.end > start)
  const final = tokens.findLastIndex((token) => token.start < end)
  const [from, to] = [tokens[first], tokens[final]]
  if (from === undefined || to === undefined || first > final) return undefined
  return { first, last: final, isExact: from.start >= start && to.end <= end }
}
