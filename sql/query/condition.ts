/**
 * The text behind `where`: comparisons and `like`, joined by `and` (binds tighter) and `or`, in brackets or not.
 * Conditions of one kind within each other become one. Refused: brackets deeper than 200, more than 500 comparisons,
 * paths of more than 1500 steps in all, attributes or expressions on the right side, patterns that are not prefixes.
 */
import type { Comparison, Condition, Like, Literal, Operator } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { readGroupKey } from './lexer.ts'

const maxDepth = 200
/** ClickHouse would take seconds over more before it looks at a row. */
const maxComparisons = 500
const maxSteps = 1500

const operators = new Map<string, Operator>([
  ['=', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['>', '>'],
  ['>=', '>='],
  ['<', '<'],
  ['<=', '<='],
])

export function parseCondition(cursor: Cursor): Condition {
  const condition = parseAlternatives(cursor, 0)
  const beyond = comparisonsOf(condition)[maxComparisons]
  if (beyond) throw cursor.source.refusal(beyond.at.offset, `a condition has at most ${maxComparisons} comparisons`)
  refuseLongPaths(cursor, condition)
  return condition
}

function refuseLongPaths(cursor: Cursor, condition: Condition): void {
  let steps = 0
  for (const { path, at } of comparisonsOf(condition)) {
    steps += stepsOf(path)
    if (steps <= maxSteps) continue
    const problem = `the paths of a condition have at most ${maxSteps} steps in all; each number in a path doubles its own`
    throw cursor.source.refusal(at.offset, problem)
  }
}

/** A path that is longer, or has more numbers, is refused where it is compiled. */
function stepsOf(path: string): number {
  const steps = path.split('.')
  const numbers = steps.filter((step) => /^\d+$/.test(step)).length
  return Math.min(steps.length, 33) * 2 ** Math.min(numbers, 3)
}

const comparisonsOf = (condition: Condition): (Comparison | Like)[] =>
  'terms' in condition ? condition.terms.flatMap(comparisonsOf) : [condition]

function parseAlternatives(cursor: Cursor, depth: number): Condition {
  return parseJoined(cursor, 'or', () => parseJoined(cursor, 'and', () => parseTerm(cursor, depth)))
}

function parseJoined(cursor: Cursor, kind: 'and' | 'or', parseOne: () => Condition): Condition {
  const first = parseOne()
  if (cursor.word !== kind) return first
  const terms = [first]
  while (cursor.acceptWord(kind)) terms.push(parseOne())
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) }
}

function parseTerm(cursor: Cursor, depth: number): Condition {
  if (!cursor.isSymbol('(')) return parseComparison(cursor)
  if (depth === maxDepth) throw cursor.refusal(`brackets nest deeper than ${maxDepth}`)
  cursor.take()
  const condition = parseAlternatives(cursor, depth + 1)
  cursor.expectSymbol(')', "'and'", "'or'")
  return condition
}

function parseComparison(cursor: Cursor): Condition {
  const { text: path, token } = cursor.expectName('an attribute')
  const at = cursor.position(token)
  if (cursor.acceptWord('like')) return { kind: 'like', path, prefix: parsePrefix(cursor), at }
  const operator = cursor.next.kind === 'symbol' ? operators.get(cursor.next.text) : undefined
  if (!operator) throw cursor.unexpected(["'='", "'!='", "'>'", "'>='", "'<'", "'<='", "'like'"])
  cursor.take()
  return { kind: 'compare', path, operator, value: isGroupKey(path) ? parseGroupKey(cursor) : parseLiteral(cursor), at }
}

/** Keywords come in any case. */
export const isGroupKey = (path: string): boolean => path.toLowerCase() === 'skey'

function parseGroupKey(cursor: Cursor): Literal {
  const { next: token } = cursor
  const literal = parseLiteral(cursor)
  return token.kind === 'string' ? { kind: 'string', value: readGroupKey(cursor.source, token.start) } : literal
}

function parseLiteral(cursor: Cursor): Literal {
  const { next: token, word } = cursor
  if (word === 'true' || word === 'false') {
    cursor.take()
    return { kind: 'boolean', value: word === 'true' }
  }
  if (token.kind === 'string') {
    cursor.take()
    return { kind: 'string', value: token.value }
  }
  if (token.kind === 'number') {
    cursor.take()
    return { kind: 'number', text: token.text }
  }
  throw cursor.unexpectedValue(['a number', 'true', 'false'])
}

/** One `*` or `$%` at the end is taken off; before it both are ordinary text. */
function parsePrefix(cursor: Cursor): string {
  const { next: token } = cursor
  const pattern = cursor.takeString()
  const end = /(\*|\$%)$/.exec(pattern)
  if (!end) {
    const meant = pattern.endsWith('%') ? `; write ${JSON.stringify(`${pattern.slice(0, -1).slice(0, 40)}*`)}` : ''
    throw cursor.refusal(`a pattern ends in * or $%, got ${cursor.describe(token)}${meant}`, token)
  }
  return pattern.slice(0, end.index)
}
