/** Notes on a query: texts that its author may have meant as columns or properties, a sentence each. */
import type { Comparison, GraphQuery, GraphSet, Value } from './ast.ts'
import { columnsOf } from './columns.ts'
import { comparedIn } from './compared.ts'
import { aliasNames, filtersOf } from './references.ts'

export function notesOn(statement: GraphQuery | GraphSet): readonly string[] {
  const queries = statement.kind === 'set' ? statement.queries : [statement]
  return [...new Set(queries.flatMap(notesOnQuery))]
}

function notesOnQuery({ pattern, returning }: GraphQuery): readonly string[] {
  const items = returning === undefined || returning.items === '*' ? [] : returning.items
  const columns = items.length === 0 ? [] : columnsOf(items, returning?.exclude)
  const aliases = aliasNames(pattern)
  const compared: readonly Comparison<unknown>[] = [
    ...(returning?.where ? comparedIn(returning.where) : []),
    ...items.flatMap((item) => (item.kind === 'aggregate' ? (item.where ?? []) : [])),
  ]
  const ofColumns = barewords(compared).flatMap((word) => {
    if (columns.some(({ name }) => name === word)) {
      return [`${word} is read as a text, and is a column of RETURN; write $${word} to compare with it`]
    }
    const column = columns.find(({ item }) => item.kind === 'member' && memberText(item.member) === word)?.name
    return column === undefined
      ? []
      : [`${word} is read as a text, and is the column ${column} of RETURN; write $${column} to compare with it`]
  })
  const filtered = filtersOf(pattern).flatMap(({ filter }) => filter)
  const ofAliases = barewords(filtered).flatMap((word) => {
    const [alias = '', ...rest] = word.split('.')
    return rest.length > 0 && aliases.has(alias)
      ? [`${word} is read as a text, and ${alias} is an alias of the pattern; write $${word} to compare with it`]
      : []
  })
  return [...ofColumns, ...ofAliases]
}

const memberText = ({ alias, name }: { readonly alias: string; readonly name: string }): string => `${alias}.${name}`

/** The texts that stand without quotes. */
const barewords = (compared: readonly Comparison<unknown>[]): readonly string[] =>
  compared.flatMap(({ value }) => (isBare(value) ? [value.text] : []))

const isBare = (value: Value): value is Extract<Value, { kind: 'text' }> =>
  value.kind === 'text' && value.at !== undefined
