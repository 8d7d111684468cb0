/**
 * The settings that filter rows (`additional_table_filters`, by which Grafana filters a panel, `additional_result_filter`).
 * Their expressions are texts that ClickHouse parses by itself: each passes the fences as the condition of a statement, and
 * is written anew from its tokens.
 */
import { isSymbol, takeSettings } from './clauses.ts'
import { type Token, tokenize } from './lexer.ts'
import { reduceTables } from './reduced-tables.ts'
import { denied, StatementRefusal, syntaxError } from './refusal.ts'
import { checkReach, checkTable, type Reach } from './tables.ts'

export type Filters = {
  readonly tables: readonly (readonly [table: string, condition: string])[]
  readonly result?: string
}

export const filterSettings = ['additional_table_filters', 'additional_result_filter'] as const

/** A text of an expression, checked by itself and as a condition. */
export type CheckCondition = (condition: readonly Token[]) => void

export function readFilters(
  asked: Readonly<Record<string, string>>,
  check: CheckCondition,
  reach: Reach | undefined,
): Filters | undefined {
  const tables = asked.additional_table_filters?.trim() ?? ''
  const result = asked.additional_result_filter?.trim() ?? ''
  const filters: Filters = {
    tables:
      tables === '' ? [] : readMap(tables).map(([table, text]) => [checkedTable(table, reach), condition(text, check)]),
    ...(result !== '' && { result: condition(result, check) }),
  }
  return filters.tables.length > 0 || filters.result !== undefined ? filters : undefined
}

function condition(text: string, check: CheckCondition): string {
  const tokens = tokenize(text)
  if (tokens.length === 0) throw syntaxError('a filter is empty')
  if (tokens.some((token) => isSymbol(token, ';') || isSymbol(token, '{')))
    throw syntaxError('a filter is one expression, without parameters')
  if (Object.keys(takeSettings(tokens).settings).length > 0) throw denied('a filter has no settings')
  check(tokens)
  return written(reduceTables(tokens))
}

export const written = (tokens: readonly Token[]): string =>
  tokens.map((token, i) => (token.isApart && i > 0 ? ` ${token.text}` : token.text)).join('')

/** The statement whose condition a filter is, for the fences. */
export const filterStatement = (condition: string): string => `SELECT 1 WHERE (${condition})`

const notAMap = () => syntaxError("additional_table_filters is a map: {'air.flights': 'delay > 60'}")

function readMap(text: string): [string, string][] {
  const tokens = tokenize(text)
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!isSymbol(first, '{') || !isSymbol(last, '}')) throw notAMap()
  const entries: [string, string][] = []
  let isClosed = tokens.length === 2
  for (let i = 1; i < tokens.length - 1; i += 4) {
    const [table, colon, filter, comma] = tokens.slice(i, i + 4)
    const isEntry = table?.kind === 'string' && isSymbol(colon, ':') && filter?.kind === 'string'
    const isEnd = i + 3 === tokens.length - 1
    if (!isEntry || !(isEnd ? comma === last : isSymbol(comma, ','))) throw notAMap()
    isClosed = isEnd
    entries.push([textOf(table), textOf(filter)])
  }
  if (!isClosed) throw notAMap()
  return entries
}

const escaped: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', v: '\v', a: '\x07', e: '\x1b', 0: '\0', N: '' },
}

/** The text of a string as the lexer writes it. */
const textOf = ({ text }: Token): string =>
  text.slice(1, -1).replace(/\\x([0-9a-fA-F]{2})|\\([\s\S])/g, (_, hex?: string, letter = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return escaped[letter] ?? letter
  })

/** The name of a table, or an alias, as ClickHouse looks it up. */
function checkedTable(name: string, reach: Reach | undefined): string {
  const parts = name.split('.')
  if (parts.length > 2 || parts.some((part) => !/^\w{1,200}$/.test(part))) {
    throw new StatementRefusal(
      36,
      'BAD_ARGUMENTS',
      `a filter of additional_table_filters is of a table: ${name.slice(0, 100)} is none`,
    )
  }
  if (/^(system|information_schema)$/i.test(parts[0] ?? ''))
    throw denied('the tables of system have filters of the service')
  if (reach && parts.length > 1) checkReach(parts, true, reach)
  checkTable(parts)
  return name
}
