/**
 * The condition of a filter, in the language of `where`. The wire form of it is a list of comparisons, AND before OR,
 * without brackets: those of the text are multiplied out.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { comparisons, decodeCode, joinOperators, queryTypes } from '../codes.ts'
import { looksMoving } from '../decode/moving.ts'
import { parseFilterQuery } from '../filter-query.ts'
import type { Codec, Path, Wire, Writing } from './codec.ts'
import {
  acceptLiteral,
  type ComparisonWord,
  codeOf,
  comparisonWords,
  isLiteral,
  isPlainName,
  type Literal,
  shownLiteral,
  takeComparison,
  wordOf,
} from './literal.ts'
import { isMovingNext, shownMoving, takeMoving } from './moving.ts'
import { createTokens, type Tokens } from './tokens.ts'

export type Side =
  | { readonly kind: 'attribute'; readonly path: string }
  | { readonly kind: 'moving'; readonly text: string }
  | { readonly kind: 'literal'; readonly value: Literal }
export type Compared = { readonly left: Side; readonly is: ComparisonWord; readonly right: Side }
/** Alternatives, each of comparisons that hold together. */
export type Condition = readonly (readonly Compared[])[]

const maxComparisons = 500
const maxDepth = 100

function takeLeft(tokens: Tokens): Side {
  if (isMovingNext(tokens)) return { kind: 'moving', text: takeMoving(tokens) }
  const { next } = tokens
  if (next.kind !== 'name') throw tokens.expected('an attribute')
  tokens.take()
  if (tokens.isWord('like')) throw tokens.refusal('a filter has no like; compare with =')
  return { kind: 'attribute', path: next.text }
}

function takeRight(tokens: Tokens): Side {
  // A number alone may be negative, and so may a factor.
  const isFactor = tokens.isSymbol('-')
    ? /^-\s*[\d.]+\s*\*/.test(tokens.text.slice(tokens.next.at))
    : isMovingNext(tokens)
  if (isFactor) return { kind: 'moving', text: takeMoving(tokens) }
  const value = acceptLiteral(tokens)
  if (value !== undefined) return { kind: 'literal', value }
  const { next } = tokens
  if (next.kind !== 'name') throw tokens.expected('a value, an attribute, or a statistic such as avg(orders.price, 5m)')
  tokens.take()
  return { kind: 'attribute', path: next.text }
}

const sizeOf = (condition: Condition): number => condition.reduce((sum, terms) => sum + terms.length, 0)

function both(left: Condition, right: Condition, tokens: Tokens): Condition {
  if (sizeOf(left) * right.length + sizeOf(right) * left.length > maxComparisons)
    throw tokens.refusal(`with its brackets multiplied out a condition has at most ${maxComparisons} comparisons`)
  return left.flatMap((first) => right.map((second) => [...first, ...second]))
}

function takeTerm(tokens: Tokens, depth: number): Condition {
  if (!tokens.isSymbol('(')) return [[{ left: takeLeft(tokens), is: takeComparison(tokens), right: takeRight(tokens) }]]
  if (depth === maxDepth) throw tokens.refusal(`brackets nest deeper than ${maxDepth}`)
  tokens.take()
  const inner = takeAlternatives(tokens, depth + 1)
  if (!tokens.accept(')')) throw tokens.expected("'and', 'or' or ')'")
  return inner
}

function takeAlternatives(tokens: Tokens, depth: number): Condition {
  const alternatives: (readonly Compared[])[] = []
  let count = 0
  do {
    let together = takeTerm(tokens, depth)
    while (tokens.acceptWord('and')) together = both(together, takeTerm(tokens, depth), tokens)
    count += sizeOf(together)
    if (count > maxComparisons) throw tokens.refusal(`a condition has at most ${maxComparisons} comparisons`)
    alternatives.push(...together)
  } while (tokens.acceptWord('or'))
  return alternatives
}

/** The condition of a text; a `Refusal` with the place where it is none. */
export function parseCondition(text: string): Condition {
  const tokens = createTokens(text)
  const condition = takeAlternatives(tokens, 0)
  if (tokens.next.kind !== 'end') throw tokens.expected("'and', 'or' or the end")
  return condition
}

const shownSide = (side: Side): string | undefined => {
  if (side.kind === 'literal') return shownLiteral(side.value)
  if (side.kind === 'moving') return shownMoving(side.text)
  return isPlainName(side.path) ? side.path : undefined
}

/** A left side may have any name, since only an attribute or a statistic stands there. */
const shownLeft = (side: Side): string | undefined =>
  side.kind === 'attribute' && /^(true|false)$/i.test(side.path) ? side.path : shownSide(side)

function print(condition: Condition): string | undefined {
  const alternatives: string[] = []
  for (const terms of condition) {
    const shown: string[] = []
    for (const { left, is, right } of terms) {
      const [first, second] = [shownLeft(left), shownSide(right)]
      if (first === undefined || second === undefined) return undefined
      shown.push(`${first} ${is} ${second}`)
    }
    alternatives.push(shown.join(' and '))
  }
  return alternatives.join(' or ')
}

type QueryType = (typeof queryTypes.entries)[number][1]

function typeOf(condition: Condition): QueryType {
  const sides = condition.flat().flatMap(({ left, right }) => [left, right])
  if (sides.some(({ kind }) => kind === 'moving')) return 'MOVING'
  return condition.flat().some(({ right }) => right.kind === 'attribute') ? 'ATTRIBUTES' : 'VALUES'
}

const codeOfType = { VALUES: 1, ATTRIBUTES: 2, MOVING: 3 } as const satisfies Record<QueryType, number>

/** The wire marks attributes within texts, so that some texts cannot stand beside attributes. */
function clashOf(condition: Condition): string | undefined {
  const type = typeOf(condition)
  for (const { right } of condition.flat()) {
    if (right.kind !== 'literal' || typeof right.value !== 'string') continue
    if (type !== 'VALUES' && right.value.startsWith('$'))
      return `the text ${shownLiteral(right.value)} begins with $, which stands in no condition with another attribute or a statistic; make it a filter of its own`
    if (type === 'MOVING' && looksMoving(right.value))
      return `the text ${shownLiteral(right.value)} looks like a statistic, which stands in no condition with one; make it a filter of its own`
  }
  return undefined
}

const valueOf = (side: Side): Json =>
  side.kind === 'attribute' ? `$${side.path}` : side.kind === 'moving' ? side.text : side.value

const keyOf = (side: Side): string =>
  side.kind === 'attribute' ? side.path : side.kind === 'moving' ? side.text : String(side.value)

/** `fqry` */
function encode(condition: Condition, at: Path, to: Writing): Wire {
  const query: Json[] = []
  const push = (part: Wire) => {
    to.link(query, query.length, at)
    query.push(part)
  }
  for (const [alternative, terms] of condition.entries()) {
    for (const [index, { left, is, right }] of terms.entries()) {
      if (index > 0) push({ joinop: 0 })
      else if (alternative > 0) push({ joinop: 1 })
      push({ key: keyOf(left), cmp_op: codeOf[is], val: valueOf(right) })
    }
  }
  return { name: { query, qtype: codeOfType[typeOf(condition)] }, type: 1 }
}

const hasOnly = (wire: Wire, ...known: readonly string[]): boolean =>
  Object.keys(wire).every((name) => known.includes(name))

function readCompared(part: Wire, type: QueryType): Compared | undefined {
  const { key, cmp_op, val } = part
  const code = decodeCode(comparisons, cmp_op)
  if (typeof key !== 'string' || !('name' in code) || !isLiteral(val) || !hasOnly(part, 'key', 'cmp_op', 'val'))
    return undefined
  const left: Side =
    type === 'MOVING' && looksMoving(key) ? { kind: 'moving', text: key } : { kind: 'attribute', path: key }
  const right: Side =
    type !== 'VALUES' && typeof val === 'string' && val.startsWith('$')
      ? { kind: 'attribute', path: val.slice(1) }
      : type === 'MOVING' && looksMoving(val)
        ? { kind: 'moving', text: val }
        : { kind: 'literal', value: val }
  return { left, is: wordOf[code.name], right }
}

/** Undefined where it is no condition, or has members that are unknown. */
function decode(fqry: Json): Condition | undefined {
  if (!isObject(fqry) || !hasOnly(fqry, 'name', 'type')) return undefined
  if (fqry.type === 2 || fqry.type === 2n || (typeof fqry.type === 'string' && fqry.type.trim() === '2'))
    return undefined
  const query = typeof fqry.name === 'string' ? (parseFilterQuery(fqry.name) as Json | undefined) : fqry.name
  if (!isObject(query) || !hasOnly(query, 'query', 'qtype') || !Array.isArray(query.query)) return undefined
  const type = decodeCode(queryTypes, query.qtype ?? 1)
  if (!('name' in type)) return undefined
  const alternatives: Compared[][] = [[]]
  for (const [index, part] of query.query.entries()) {
    if (!isObject(part)) return undefined
    if (index % 2 === 0) {
      const compared = readCompared(part, type.name)
      if (compared === undefined) return undefined
      alternatives.at(-1)?.push(compared)
    } else {
      const code = decodeCode(joinOperators, part.joinop)
      if (!('name' in code) || !hasOnly(part, 'joinop')) return undefined
      if (code.name === 'OR') alternatives.push([])
    }
  }
  return alternatives.at(-1)?.length === 0 ? undefined : alternatives
}

/** Where a name has characters that no text of a condition has: `any` of the lists, `all` of each. */
const listed = (condition: Condition): Json => ({
  any: condition.map((terms) =>
    terms.map(({ left, is, right }) => ({
      ...(left.kind === 'moving' ? { statistic: left.text } : { left: keyOf(left) }),
      is,
      ...(right.kind === 'literal'
        ? { value: right.value }
        : right.kind === 'moving'
          ? { than: right.text }
          : { attribute: right.path }),
    })),
  ),
})

function readListed(words: Wire, at: Path, to: Writing): Condition | undefined {
  const wrong = (place: Path): undefined =>
    to.fail(place, 'must be a text, or any: a list of lists of {left, is, value} or {left, is, attribute}') as undefined
  if (!Array.isArray(words.any) || !hasOnly(words, 'any')) return wrong(at)
  const alternatives: Compared[][] = []
  for (const [place, terms] of words.any.entries()) {
    if (!Array.isArray(terms) || terms.length === 0) return wrong([...at, 'any', place])
    const compared: Compared[] = []
    for (const [index, term] of terms.entries()) {
      const here = [...at, 'any', place, index]
      if (!isObject(term) || !hasOnly(term, 'left', 'statistic', 'is', 'value', 'attribute', 'than')) return wrong(here)
      const is = comparisonWords.find((each) => each === term.is)
      const left: Side | undefined =
        typeof term.left === 'string'
          ? { kind: 'attribute', path: term.left }
          : typeof term.statistic === 'string'
            ? { kind: 'moving', text: term.statistic }
            : undefined
      const right: Side | undefined =
        typeof term.attribute === 'string'
          ? { kind: 'attribute', path: term.attribute }
          : typeof term.than === 'string'
            ? { kind: 'moving', text: term.than }
            : isLiteral(term.value)
              ? { kind: 'literal', value: term.value }
              : undefined
      if (is === undefined || left === undefined || right === undefined) return wrong(here)
      compared.push({ left, is, right })
    }
    alternatives.push(compared)
  }
  return alternatives.length > 0 ? alternatives : wrong(at)
}

/** Runs a parser of text: its refusal becomes a fault of the place. */
export function reading<Result>(at: Path, to: Writing, parseText: () => Result): Result | undefined {
  try {
    return parseText()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) to.fail(at, problem)
    return undefined
  }
}

/** The `fqry` of a filter or a rule. */
export const where: Codec = {
  toWire(words, at, to) {
    const condition =
      typeof words === 'string'
        ? reading(at, to, () => parseCondition(words))
        : isObject(words)
          ? readListed(words, at, to)
          : to.fail(at, 'must be a condition, such as price > 100')
    if (!condition) return undefined
    const clash = clashOf(condition)
    if (clash !== undefined) {
      to.fail(at, clash)
      return undefined
    }
    return encode(condition, at, to)
  },
  toWords(wire) {
    const condition = decode(wire)
    return condition && (print(condition) ?? listed(condition))
  },
  schema: { type: ['string', 'object'] },
}
