/** Suggestions for analysts' SQL (docs/analysts.md): the tables and views of schemas, and the words and functions used most. */
import type { Suggest, Suggestion, Suggestions } from '../../parts/editor/completion.ts'
import { type AnalystsTable, analystsTables } from './analysts-tables.ts'
import type { Catalogue } from './known.ts'

type Known = Pick<Catalogue, 'schemas' | 'schema' | 'databases' | 'tables' | 'graphs'>

const words = [
  ...['SELECT', 'FROM', 'WHERE', 'GROUP BY', 'ORDER BY', 'LIMIT', 'HAVING', 'WITH', 'AS', 'AND', 'OR', 'NOT', 'IN'],
  ...['BETWEEN', 'LIKE', 'IS NULL', 'IS NOT NULL', 'JOIN', 'LEFT JOIN', 'ON', 'USING', 'UNION ALL', 'DISTINCT', 'DESC'],
  ...['CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'ARRAY JOIN', 'FORMAT', 'INTERVAL', 'LIMIT BY', 'WITH FILL', 'OVER'],
].map((label): Suggestion => ({ label, kind: 'keyword', apply: `${label} ` }))

const functions = [
  ...['count', 'sum', 'avg', 'min', 'max', 'any', 'uniq', 'uniqExact', 'quantile', 'quantiles', 'median', 'topK'],
  ...['argMin', 'argMax', 'groupArray', 'groupUniqArray', 'countIf', 'sumIf', 'avgIf', 'stddevSamp', 'corr'],
  ...['toStartOfMinute', 'toStartOfFiveMinutes', 'toStartOfHour', 'toStartOfDay', 'toStartOfInterval', 'toDate'],
  ...['toDateTime', 'toHour', 'toDayOfWeek', 'dateDiff', 'now', 'today', 'formatDateTime', 'fromUnixTimestamp64Micro'],
  ...['if', 'multiIf', 'coalesce', 'ifNull', 'nullIf', 'round', 'floor', 'abs', 'greatest', 'least', 'toString'],
  ...['toFloat64', 'toInt64', 'lower', 'upper', 'concat', 'substring', 'splitByChar', 'length', 'has', 'arrayJoin'],
  ...['lagInFrame', 'leadInFrame', 'row_number', 'rank', 'runningDifference', 'JSONExtractString', 'JSONExtractFloat'],
].map((label): Suggestion => ({ label, kind: 'function', apply: `${label}(` }))

export const suggestSql =
  (known: Known): Suggest =>
  async (text, at) => {
    const before = text.slice(0, at)
    if (isInTextOrComment(before)) return undefined
    const [word = ''] = /(?<!\w)\w*$/.exec(before) ?? []
    const from = at - word.length
    const head = before.slice(0, from)
    const answer = (options: readonly Suggestion[]): Suggestions => ({ from, options })

    const [, place] = /\b(\w+)\.$/.exec(head) ?? []
    if (place !== undefined) return answer(await below(known, place, head, text))
    if (/\b(?:from|join|describe|table)\s+$/i.test(head)) return answer(await databases(known))
    const tables = await tablesIn(known, text)
    const columns = new Map<string, string>()
    for (const { name, columns: own } of tables) for (const column of own) columns.set(column, name)
    const own = [...columns].map(([label, detail]): Suggestion => ({ label, kind: 'attribute', detail }))
    return answer([...own, ...words, ...functions])
  }

/** Texts, names in quotes and comments, each with what ends it: nothing where it goes on to the end. */
const quotedOrSaid = /'(?:[^'\\]|\\(?:[\s\S]|$)|'')*('|$)|"[^"]*("|$)|`[^`]*(`|$)|--[^\n]*(\n|$)|\/\*[\s\S]*?(\*\/|$)/g

const isInTextOrComment = (before: string): boolean =>
  [...before.matchAll(quotedOrSaid)].some((found) => found.slice(1).includes(''))

async function databases(known: Known): Promise<Suggestion[]> {
  const [schemas, own] = await Promise.all([known.schemas(), known.databases()])
  const named =
    (detail: string) =>
    (label: string): Suggestion => ({ label, kind: 'place', detail, apply: `${label}.` })
  return [
    ...schemas.map(named('schema')),
    ...own.filter((name) => !schemas.includes(name)).map(named('tables of records')),
    named('graphs')('graph'),
  ]
}

/** Suggestions behind a name and a dot: tables of a database, or columns of a table or of its alias. */
async function below(known: Known, place: string, head: string, text: string): Promise<Suggestion[]> {
  const isTablePlace = /\b(?:from|join|describe|table)\s+\w+\.$/i.test(head)
  if (isTablePlace && place === 'graph') {
    const graphs = await known.graphs()
    return graphs.flatMap((name) => [name, `${name}_rel`]).map((label) => ({ label, kind: 'place' }))
  }
  if (isTablePlace) {
    const schema = await known.schema(place)
    if (!schema) return (await known.tables(place)).map((label) => ({ label, kind: 'place' }))
    return analystsTables(schema).map(({ name }) => ({ label: name.slice(place.length + 1), kind: 'place' }))
  }
  const [, aliased] = new RegExp(`\\b(\\w+\\.\\w+)\\s+(?:as\\s+)?${place}\\b`, 'i').exec(text) ?? []
  const wanted = (await tablesIn(known, text)).find(
    ({ name }) => name === aliased || name.endsWith(`.${place}`) || name === place,
  )
  return (wanted?.columns ?? []).map((label) => ({ label, kind: 'attribute' }))
}

const graphColumns = {
  nodes: ['label', 'name', 'properties'],
  relations: ['subject_label', 'subject', 'relation', 'object_label', 'object', 'properties'],
}

async function tablesIn(known: Known, text: string): Promise<AnalystsTable[]> {
  const named = [...text.matchAll(/\b(?:from|join)\s+(\w+)\.(\w+)/gi)]
  const found = await Promise.all(
    named.map(async ([, database = '', table = '']): Promise<AnalystsTable | undefined> => {
      const name = `${database}.${table}`
      if (database === 'graph') {
        return { name, columns: table.endsWith('_rel') ? graphColumns.relations : graphColumns.nodes }
      }
      const schema = await known.schema(database)
      if (schema) return analystsTables(schema).find((each) => each.name === name)
      return { name, columns: ['_pk', 'doc', '_v'] }
    }),
  )
  return found.filter((table) => table !== undefined)
}
