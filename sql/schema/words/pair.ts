/**
 * The condition between two events, as text: `_pk = this.customer` (a lookup), `this.price > before.price` (a
 * pattern), `first._id = then.order` (a join). On the wire it is told by the event that triggers: attributes of the
 * other event, and with what of its own each is compared.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { decodeCode, pairComparisons, pairOperations } from '../codes.ts'
import type { Path, Reading, Wire, Writing } from './codec.ts'
import { expressionToWire, expressionToWords, namesOf } from './expression.ts'
import {
  type ComparisonWord,
  isLiteral,
  isPlainName,
  type Literal,
  nameOf,
  numberOf,
  shownLiteral,
  turned,
  wordOf,
} from './literal.ts'
import { createTokens, type Token, type Tokens } from './tokens.ts'
import { reading } from './where.ts'

/** How a text names the two events: this one, which triggers, and the other. A referenced row has no word: ''. */
export type Events = { readonly own: string; readonly other: string }

type Value =
  | { readonly kind: 'attribute'; readonly path: string }
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'expression'; readonly text: string }
type Term = { readonly other: string; readonly is: ComparisonWord; readonly value: Value }

type Side = { readonly kind: 'own' | 'other'; readonly path: string } | Exclude<Value, { readonly kind: 'attribute' }>

const unsigned = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const isTrue = /^true$/i
const isTruth = /^(true|false)$/i

/** The tokens of one side: up to a comparison, `and` or the end. */
function takeSide(tokens: Tokens): readonly Token[] {
  const side: Token[] = []
  let depth = 0
  for (;;) {
    const { next } = tokens
    const ends =
      next.kind === 'end' ||
      (next.kind === 'symbol' && /^[<>=!]/.test(next.text)) ||
      (depth === 0 && (tokens.isWord('and') || tokens.isWord('or')) && side.length > 0)
    if (ends) break
    if (next.kind === 'symbol' && next.text === '(') depth++
    if (next.kind === 'symbol' && next.text === ')') depth--
    side.push(tokens.take())
  }
  if (side.length === 0) throw tokens.expected('an attribute, a value or an expression')
  return side
}

/** `(this.price)` is an expression of one attribute: its brackets mark it as one. */
function withoutBrackets(text: string): string {
  const inner = /^\((.*)\)$/s.exec(text)?.[1]?.trim()
  return inner !== undefined && isAlone(inner) ? inner : text
}

/** Whether a text might be read as something else than an expression, and so stands in brackets. */
const isAlone = (text: string): boolean => /^[\w.]+$/.test(text) || unsigned.test(text) || isWrapped(text)

function isWrapped(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false
  let depth = 0
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth === 0) return index === [...text].length - 1
  }
  return false
}

function readSide(side: readonly Token[], tokens: Tokens, { own, other }: Events): Side {
  const [first, second] = side
  const last = side.at(-1)
  if (first === undefined || last === undefined) throw tokens.expected('an attribute')
  if (side.length === 1 && first.kind === 'string') return { kind: 'literal', value: first.value }
  if (side.length === 1 && first.kind === 'number') return { kind: 'literal', value: numberOf(first.text) }
  if (side.length === 2 && first.text === '-' && second?.kind === 'number')
    return { kind: 'literal', value: numberOf(`-${second.text}`) }
  if (side.length === 1 && first.kind === 'name') {
    if (first.text.startsWith(`${own}.`)) return { kind: 'own', path: first.text.slice(own.length + 1) }
    if (other !== '' && first.text.startsWith(`${other}.`))
      return { kind: 'other', path: first.text.slice(other.length + 1) }
    if (isTruth.test(first.text)) return { kind: 'literal', value: isTrue.test(first.text) }
    if (other === '') return { kind: 'other', path: first.text }
    throw tokens.refusal(`expected ${own}.${first.text} or ${other}.${first.text}: say of which event it is`, first)
  }
  const text = tokens.text.slice(first.at, last.end)
  const stray = namesOf(text).find((each) => !each.startsWith(`${own}.`))
  if (stray !== undefined)
    throw tokens.refusal(
      `an expression is over attributes of ${own}, such as ${own}.price * 2, and names ${stray}`,
      first,
    )
  return { kind: 'expression', text: expressionToWire(withoutBrackets(text), `${own}.`) }
}

function takeTerm(tokens: Tokens, events: Events): Term {
  const at = tokens.next
  const left = readSide(takeSide(tokens), tokens, events)
  const said = tokens.next.text === '<>' ? '!=' : tokens.next.text
  const is = (Object.keys(turned) as ComparisonWord[]).find((each) => each === said)
  if (is === undefined) throw tokens.expected('=, !=, >, >=, < or <=')
  tokens.take()
  const right = readSide(takeSide(tokens), tokens, events)
  const value = (side: Side): Value => (side.kind === 'own' ? { kind: 'attribute', path: side.path } : (side as Value))
  if (left.kind === 'other' && right.kind !== 'other') return { other: left.path, is, value: value(right) }
  if (right.kind === 'other' && left.kind !== 'other') return { other: right.path, is: turned[is], value: value(left) }
  const wanted = events.other === '' ? 'one attribute of the row that is looked up' : `one attribute of ${events.other}`
  throw tokens.refusal(`each comparison has ${wanted} on one side, and ${events.own} or a value on the other`, at)
}

function parse(text: string, events: Events): readonly Term[] {
  const tokens = createTokens(text)
  const terms: Term[] = []
  do terms.push(takeTerm(tokens, events))
  while (tokens.acceptWord('and'))
  if (tokens.next.kind !== 'end')
    throw tokens.expected("'and' or the end; two events have no or between their comparisons")
  return terms
}

const kindsOf = (terms: readonly Term[]) => new Set(terms.map(({ value }) => value.kind))

/** Attributes and values together are told apart by name on the wire: opid 14. */
const isMixed = (terms: readonly Term[]): boolean => {
  const kinds = kindsOf(terms)
  return kinds.has('attribute') && kinds.has('literal') && !kinds.has('expression')
}

function encodeTerms(terms: readonly Term[], at: Path, to: Writing): Wire | undefined {
  const kinds = kindsOf(terms)
  const isExpression = kinds.has('expression')
  const args: Json[] = []
  for (const { value } of terms) {
    to.link(args, args.length, at)
    if (value.kind === 'expression') args.push(value.text)
    else if (value.kind === 'attribute') args.push(isExpression ? `$${value.path}` : value.path)
    else if (!isExpression) args.push(value.value)
    else if (typeof value.value === 'number' || typeof value.value === 'bigint') args.push(String(value.value))
    else {
      to.fail(at, `${shownLiteral(value.value)} cannot stand beside an expression; compute an attribute by it`)
      return undefined
    }
  }
  const out: Wire = { cond: terms.map(({ other }) => other), args }
  out.opid = isExpression ? 13 : isMixed(terms) ? 14 : kinds.has('literal') ? 12 : 11
  if (terms.some(({ is }) => is !== '=')) out.cmp = terms.map(({ is }) => nameOf[is])
  for (const name of ['cond', 'args', 'opid', 'cmp']) to.link(out, name, at)
  if (isMixed(terms)) {
    const values = terms.map(({ value }) => value)
    to.mixed(out, {
      at,
      names: values.flatMap((each) => (each.kind === 'attribute' ? [each.path] : [])),
      texts: values.flatMap((each) => (each.kind === 'literal' && typeof each.value === 'string' ? [each.value] : [])),
    })
  }
  return out
}

/** `jqry` of an event, by its text. */
export function pairToWire(words: Json, at: Path, to: Writing, events: Events): Wire | undefined {
  const terms =
    typeof words === 'string'
      ? reading(at, to, () => parse(words, events))
      : isObject(words)
        ? readListed(words, at, to)
        : to.fail(at, 'must be a condition between two events')
  return terms ? encodeTerms(terms, at, to) : undefined
}

const listOf = (value: Json | undefined): readonly Json[] | undefined =>
  Array.isArray(value) ? value : isLiteral(value) ? [value] : undefined

function readValue(sent: Json | undefined, operation: string, from: Reading): Value | undefined {
  if (!isLiteral(sent)) return undefined
  if (operation === 'MATH_EXP') return { kind: 'expression', text: String(sent) }
  const isName =
    typeof sent === 'string' &&
    (operation === 'ATTR' || (operation === 'HYBRID' && (sent === '_pk' || from.attributes().has(sent))))
  if (isName) return { kind: 'attribute', path: sent }
  return operation === 'ATTR' ? undefined : { kind: 'literal', value: sent }
}

const members = ['cond', 'args', 'opid', 'opnm', 'cmp', 'seq']

function decode(jqry: Json | undefined, from: Reading): readonly Term[] | undefined {
  if (!isObject(jqry) || Object.keys(jqry).some((name) => !members.includes(name))) return undefined
  const sent = [jqry.opid, jqry.opnm].find((each) => each !== undefined && each !== null && each !== '' && each !== 0)
  const operation = sent === undefined ? ({ name: 'ATTR' } as const) : decodeCode(pairOperations, sent)
  const [cond, args, cmp] = [listOf(jqry.cond), listOf(jqry.args), listOf(jqry.cmp) ?? []]
  if (!('name' in operation) || cond === undefined || args === undefined || cond.length !== args.length)
    return undefined
  const terms = cond.map((other, index): Term | undefined => {
    const value = readValue(args[index], operation.name, from)
    const code = decodeCode(pairComparisons, cmp[index] ?? 'EQ')
    if (typeof other !== 'string' || value === undefined || !('name' in code)) return undefined
    return { other, is: wordOf[code.name], value }
  })
  const known = terms.flatMap((term) => term ?? [])
  return known.length === terms.length && known.length > 0 ? known : undefined
}

function shownValue(value: Value, { own }: Events): string | undefined {
  if (value.kind === 'literal') return shownLiteral(value.value)
  if (value.kind === 'attribute') return isPlainName(value.path) ? `${own}.${value.path}` : undefined
  const text = expressionToWords(value.text, `${own}.`)
  if (text === undefined) return undefined
  return isAlone(value.text.replaceAll('$', '')) ? `(${text})` : text
}

/** A name of the other event where it has no word of its own. */
const isBareName = (name: string, own: string): boolean => isPlainName(name) && !name.startsWith(`${own}.`)

function shownTerm({ other, is, value }: Term, events: Events, ownFirst: boolean): string | undefined {
  const mine = shownValue(value, events)
  const theirs =
    events.other === ''
      ? isBareName(other, events.own)
        ? other
        : undefined
      : isPlainName(other)
        ? `${events.other}.${other}`
        : undefined
  if (mine === undefined || theirs === undefined) return undefined
  return ownFirst && value.kind === 'attribute' ? `${mine} ${turned[is]} ${theirs}` : `${theirs} ${is} ${mine}`
}

/** The text of a `jqry`; a list of comparisons where a name has characters that no text has. `seq` is not in it. */
export function pairToWords(jqry: Json | undefined, from: Reading, events: Events, ownFirst = false): Json | undefined {
  const terms = decode(jqry, from)
  if (terms === undefined) return undefined
  const shown = terms.flatMap((term) => shownTerm(term, events, ownFirst) ?? [])
  const text = shown.join(' and ')
  if (shown.length === terms.length && isSame(text, terms, events)) return text
  return { all: terms.map(({ other, is, value }) => ({ other, is, ...listedValue(value) })) }
}

/** Whether a text would be read as these terms. */
function isSame(text: string, terms: readonly Term[], events: Events): boolean {
  const faults: string[] = []
  const read = reading(
    [],
    { fail: (_, sentence) => void faults.push(sentence), link() {}, mixed() {}, ofRun() {} },
    () => parse(text, events),
  )
  return faults.length === 0 && shownTerms(read ?? []) === shownTerms(terms)
}

const shownTerms = (terms: readonly Term[]): string =>
  terms
    .map(
      ({ other, is, value }) =>
        `${other} ${is} ${value.kind} ${JSON.stringify(listedValue(value), (_, each) => (typeof each === 'bigint' ? `${each}n` : each))}`,
    )
    .join('\n')

const listedValue = (value: Value): Wire =>
  value.kind === 'attribute'
    ? { this: value.path }
    : value.kind === 'literal'
      ? { value: value.value }
      : { formula: value.text }

function readListed(words: Wire, at: Path, to: Writing): readonly Term[] | undefined {
  const terms = Array.isArray(words.all) ? words.all : []
  const known = terms.flatMap((term): Term[] => {
    const is = isObject(term) ? (Object.keys(turned) as ComparisonWord[]).find((each) => each === term.is) : undefined
    if (!isObject(term) || is === undefined || typeof term.other !== 'string') return []
    const { other } = term
    if (typeof term.this === 'string') return [{ other, is, value: { kind: 'attribute', path: term.this } }]
    if (typeof term.formula === 'string') return [{ other, is, value: { kind: 'expression', text: term.formula } }]
    return isLiteral(term.value) ? [{ other, is, value: { kind: 'literal', value: term.value } }] : []
  })
  if (known.length === terms.length && known.length > 0) return known
  to.fail(at, 'must be a text, or all: a list of {other, is, this}, {other, is, value} or {other, is, formula}')
  return undefined
}
