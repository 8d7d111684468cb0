/**
 * Text of the query language to a statement, by recursive descent: streams and tables (`select`), usage, and
 * `insert`, `update`, `delete`. Keywords are in any case and none is reserved. A closing `;` may be there.
 * Whether the names exist and the clauses make sense for them is decided later: `update` and `delete` without `where`,
 * `limit 0` and keys of the wrong type pass here.
 */
import { analystsHint, readingWords } from './analysts-hint.ts'
import type { Condition, Literal, Source, Statement } from './ast.ts'
import { clauseWords, parseClauses, parseNames } from './clauses.ts'
import { parseCondition } from './condition.ts'
import { Cursor } from './cursor.ts'
import { parseDocument } from './document.ts'
import { createSourceText } from './source-text.ts'

const statements = new Map<string, (cursor: Cursor) => Statement>([
  ['select', parseSelect],
  ['insert', parseInsert],
  ['update', parseUpdate],
  ['delete', parseDelete],
])

/**
 * Throws a `Refusal` of one problem: line and column, the text that is there, the text that would be right, a caret under the place.
 * One that analysts' SQL would take names `analystsPort`.
 */
export function parse(text: string, analystsPort?: number): Statement {
  const cursor = new Cursor(createSourceText(text), analystsHint(analystsPort))
  const parseStatement = statements.get(cursor.word)
  const hint = readingWords.has(cursor.word) ? cursor.analystsHint : undefined
  if (!parseStatement)
    throw cursor.unexpected(
      [...statements.keys()].map((word) => `'${word}'`),
      hint,
    )
  cursor.take()
  return parseStatement(cursor)
}

/** The text behind `where`, alone. */
export function parseWhere(text: string): Condition {
  const cursor = new Cursor(createSourceText(text), '')
  const condition = parseCondition(cursor)
  cursor.expectEnd(["'and'", "'or'"])
  return condition
}

function parseSelect(cursor: Cursor): Statement {
  cursor.isSelect = true
  if (cursor.acceptSymbol('*')) {
    const from = parseFrom(cursor)
    return { kind: 'rows', from, ...parseClauses(cursor, 'select *', ['where', 'limit']) }
  }
  if (cursor.acceptWord('count')) {
    cursor.expectSymbol('(')
    if (cursor.word !== '') throw cursor.unexpected(["'*'"], cursor.analystsHint)
    cursor.expectSymbol('*')
    cursor.expectSymbol(')')
    const from = parseFrom(cursor)
    return { kind: 'count', from, ...parseClauses(cursor, 'select count(*)', ['where']) }
  }
  if (cursor.acceptWord('aggr')) return parseAggregate(cursor)
  if (cursor.acceptWord('usage')) return parseUsage(cursor)
  const isList = !['', 'from'].includes(cursor.word) || cursor.next.kind === 'number' || cursor.next.kind === 'string'
  const hint = isList ? cursor.analystsHint : undefined
  throw cursor.unexpected(["'*'", "'count(*)'", "'aggr(<attribute>)'", "'usage'"], hint)
}

function parseAggregate(cursor: Cursor): Statement {
  cursor.expectSymbol('(')
  const { text: attribute, token } = cursor.expectName('an attribute')
  cursor.expectSymbol(')')
  const from = parseFrom(cursor)
  const clauses = parseClauses(cursor, 'select aggr', ['where', 'groupby', 'rollup', 'limit'])
  return { kind: 'aggregate', attribute, from, ...clauses, at: cursor.position(token) }
}

function parseUsage(cursor: Cursor): Statement {
  cursor.expectWord('from')
  const { text: name, token } = cursor.expectName()
  if (!/^[^.]+_stream$/i.test(name)) {
    throw cursor.refusal(`usage is selected from a name such as weir_stream, got ${cursor.describe(token)}`, token)
  }
  parseClauses(cursor, 'select usage', [])
  return { kind: 'usage', from: { name, at: cursor.position(token) } }
}

function parseInsert(cursor: Cursor): Statement {
  cursor.expectWord('into')
  const into = parseSource(cursor, ['values'])
  cursor.expectWord('values')
  const inBrackets = cursor.acceptSymbol('(')
  const key = parseKey(cursor)
  if (cursor.character === ',') cursor.take()
  const document = parseDocument(cursor, { inBrackets })
  if (inBrackets) cursor.expectSymbol(')')
  if (cursor.acceptWord('revidx')) {
    const reverseIndex = parseNames(cursor, ',')
    cursor.expectEnd(["','"])
    return { kind: 'insert', into, ...(key && { key }), document, reverseIndex }
  }
  const mayBeCutShort = document.kind === 'text' && !inBrackets
  cursor.expectEnd(["'revidx'"], mayBeCutShort ? '; text with blanks goes in quotes' : undefined)
  return { kind: 'insert', into, ...(key && { key }), document, reverseIndex: [] }
}

function parseKey(cursor: Cursor): Literal | undefined {
  if (cursor.acceptWord('null')) return undefined
  const { next: token } = cursor
  if (token.kind === 'number' && /^[+-]?[0-9]+$/.test(token.text)) {
    cursor.take()
    return { kind: 'number', text: token.text }
  }
  if (token.kind !== 'string') throw cursor.unexpectedValue(['a key: null', 'a whole number'])
  return { kind: 'string', value: cursor.takeString() }
}

function parseUpdate(cursor: Cursor): Statement {
  const table = parseSource(cursor, ['set'])
  cursor.expectWord('set')
  cursor.expectWord('val')
  cursor.expectSymbol('=')
  const document = parseDocument(cursor)
  return { kind: 'update', table, document, ...parseClauses(cursor, 'update', ['where']) }
}

function parseDelete(cursor: Cursor): Statement {
  const from = parseFrom(cursor)
  return { kind: 'delete', from, ...parseClauses(cursor, 'delete', ['where']) }
}

function parseFrom(cursor: Cursor): Source {
  cursor.expectWord('from')
  return parseSource(cursor, clauseWords)
}

/** `follow`: the words that may come next. One in the name's own place is the name only if the statement goes on after it. */
function parseSource(cursor: Cursor, follow: readonly string[]): Source {
  const { text, token } = cursor.expectName()
  const goesOn = cursor.next.kind === 'end' || cursor.isSymbol(';') || follow.includes(cursor.word)
  if (!goesOn && follow.includes(text.toLowerCase())) throw cursor.refusal(`expected a name before '${text}'`, token)
  const at = cursor.position(token)
  const [first = '', second, ...more] = text.split('.')
  if (second === undefined) return { name: first, at }
  if (more.length === 0) return { schema: first, name: second, at }
  throw cursor.refusal(`expected <table> or <schema>.<stream>, got ${cursor.describe(token)}`, token)
}
