/**
 * A statement back to text: keywords in lower case, strings in double quotes, clauses in one order. Parsing it gives the
 * same statement, positions aside. A comparison with another attribute (filter definitions) is printed bare, which the
 * query language refuses: it has no text form.
 */
import type { Condition, Document, Literal, Operand, Source, Statement } from './ast.ts'
import { isGroupKey } from './condition.ts'

export function print(statement: Statement): string {
  switch (statement.kind) {
    case 'rows':
      return words('select * from', source(statement.from), where(statement), limit(statement))
    case 'count':
      return words('select count(*) from', source(statement.from), where(statement))
    case 'aggregate': {
      const groupBy = statement.groupBy && `groupby ${statement.groupBy.join(':')}`
      const rollup = statement.rollup !== undefined && `rollup ${statement.rollup}`
      const select = `select aggr(${statement.attribute}) from`
      return words(select, source(statement.from), where(statement), groupBy, rollup, limit(statement))
    }
    case 'usage':
      return words('select usage from', source(statement.from))
    case 'insert': {
      const key = statement.key ? literal(statement.key) : 'null'
      const reverseIndex = statement.reverseIndex.length > 0 && `revidx ${statement.reverseIndex.join(',')}`
      return words('insert into', source(statement.into), 'values', key, document(statement.document), reverseIndex)
    }
    case 'update':
      return words('update', source(statement.table), 'set val =', document(statement.document), where(statement))
    case 'delete':
      return words('delete from', source(statement.from), where(statement))
  }
}

function words(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part).join(' ')
}

function source({ schema, name }: Source): string {
  return schema === undefined ? name : `${schema}.${name}`
}

function where(statement: { readonly where?: Condition }): string | undefined {
  return statement.where && `where ${condition(statement.where)}`
}

function limit(statement: { readonly limit?: number }): string | undefined {
  return statement.limit === undefined ? undefined : `limit ${statement.limit}`
}

function condition(node: Condition): string {
  switch (node.kind) {
    case 'compare':
      return `${node.path} ${node.operator} ${isGroupKey(node.path) ? groupKey(node.value) : operand(node.value)}`
    case 'like':
      return `${node.path} like ${quoted(`${node.prefix}*`)}`
    case 'and':
      return node.terms.map((term) => (term.kind === 'or' ? `(${condition(term)})` : condition(term))).join(' and ')
    case 'or':
      return node.terms.map(condition).join(' or ')
  }
}

function operand(value: Operand): string {
  return value.kind === 'attribute' ? value.path : literal(value)
}

/** Backslashes of a group key come in pairs or before the character that they keep, and are not doubled again. */
function groupKey(value: Operand): string {
  return value.kind === 'string' ? quoted(value.value).replaceAll('\\\\', '\\') : operand(value)
}

function literal(value: Literal): string {
  switch (value.kind) {
    case 'string':
      return quoted(value.value)
    case 'number':
      return value.text
    case 'boolean':
      return String(value.value)
  }
}

function document({ kind, text }: Document): string {
  return kind === 'json' ? text : quoted(text)
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
])

/** Text as a string of the language, in double quotes. */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) => escapes.get(character) ?? unicodeEscape(character))
  return `"${escaped}"`
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
