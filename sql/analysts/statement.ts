import { suggest } from '../../base/suggest.ts'
import { type Calls, createCalls, lambdasIn, plainCalls } from './calls.ts'
import { bindParameters, isSymbol, isWord, oneStatement, takeFormat, takeSettings } from './clauses.ts'
import { type Filters, filterStatement, readFilters, written } from './filters.ts'
import { outputFormat } from './formats.ts'
import { isWrittenFunction } from './functions.ts'
import { insteadOf } from './instead.ts'
import { type Token, tokenize } from './lexer.ts'
import { checkNames } from './names.ts'
import { reduceTables, refusePaths } from './reduced-tables.ts'
import { denied, StatementRefusal, syntaxError } from './refusal.ts'
import { grantSettings, type Settings, withRows } from './settings.ts'
import type { Reach } from './tables.ts'
import { mayCompareSeconds, withAllParts } from './whole-seconds.ts'

export type AskedStatement = {
  readonly text: string
  /** Used where the statement names none. */
  readonly format: string
  readonly params: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, string>>
}

export type AnalystStatement = {
  /** The text, written anew from its tokens, without FORMAT and SETTINGS. */
  readonly text: string
  readonly format: string
  readonly settings: Settings
  /** Parameters that are left to bind. */
  readonly params: Readonly<Record<string, string>>
  /** EXPLAIN takes the clauses of an answer into the statement that it explains. */
  readonly isExplain: boolean
  /** Absent for all that analysts see. */
  readonly reach?: Reach
  /** The functions that it may call, its own lambdas among them. */
  readonly calls?: Calls
  readonly filters?: Filters
}

/**
 * A statement of an analyst, checked and written anew. Throws a `StatementRefusal` for all else.
 * @param known the names of ClickHouse's functions, in lower case
 */
export function admit(asked: AskedStatement, reach?: Reach, known?: ReadonlySet<string>): AnalystStatement {
  const { tokens: bound, used } = bindParameters(oneStatement(tokenize(asked.text)), asked.params)
  if (bound.length === 0) throw syntaxError('Empty query')
  const inside = takeSettings(bound)
  const { tokens, format: named } = takeFormat(inside.tokens)
  checkKind(tokens)
  refuseClauses(tokens)
  refusePaths(tokens)
  const calls = createCalls(known, lambdasIn(tokens, known))
  checkNames(explained(tokens), reach, calls)
  const wishes = { ...asked.settings, ...inside.settings }
  const filters = readFilters(wishes, (condition) => checkCondition(condition, reach, calls), reach)
  const format = outputFormat(named ?? asked.format)
  const isOfSeconds = mayCompareSeconds(tokens) || Object.values(wishes).some((wish) => wish.includes('_time'))
  const settings = { ...grantSettings(wishes), ...(isOfSeconds && withAllParts) }
  const isExplain = isWord(tokens[0], 'EXPLAIN')
  return {
    text: written(reduceTables(tokens)),
    format,
    settings: isExplain || tokens.some((token) => isWord(token, ...bounding)) ? settings : withRows(settings),
    params: Object.fromEntries(Object.entries(asked.params).filter(([name]) => used.has(name))),
    isExplain,
    calls,
    ...(filters && { filters }),
    ...(reach && { reach }),
  }
}

/** With such a word ClickHouse's setting `limit` is not the number of rows of the whole answer. */
const bounding = ['LIMIT', 'OFFSET', 'FETCH', 'TOP', 'UNION', 'INTERSECT', 'EXCEPT']

/** Checks the expression of a filter: by itself, so that no parenthesis of it closes another one, and as a condition. */
function checkCondition(condition: readonly Token[], reach: Reach | undefined, calls: Calls): void {
  const tokens = tokenize(filterStatement(written(condition)))
  for (const each of [condition, tokens]) {
    refuseClauses(each)
    checkNames(each, reach, calls)
  }
}

/** The statements whose conditions a statement's filters are: the second fence reads them. */
export const filterStatements = ({ filters, ...statement }: AnalystStatement): AnalystStatement[] =>
  [
    ...(filters?.tables.map(([, condition]) => condition) ?? []),
    ...(filters?.result === undefined ? [] : [filters.result]),
  ].map((condition) => ({ ...statement, text: filterStatement(condition), isExplain: false }))

/** ClickHouse writes a statement with more parts than it was sent with: an alias gets its AS, an operand its parentheses. */
const maxFormattedParts = 200_000

/**
 * Reads a statement once more as ClickHouse understands it and writes it anew: there every alias has its AS, every
 * function its parentheses. It needs to be admitted as it stands, without settings.
 */
export function checkFormatted(text: string, reach?: Reach, calls = plainCalls): void {
  const { tokens, settings } = takeSettings(oneStatement(tokenize(text, maxFormattedParts)))
  const [setting] = Object.keys(settings)
  if (setting !== undefined) throw denied(`ClickHouse reads the setting ${setting} in this statement`)
  checkKind(tokens)
  refuseClauses(tokens)
  refusePaths(tokens)
  checkNames(explained(tokens), reach, {
    ...calls,
    allows: (name) => calls.allows(name) || isWrittenFunction(name),
  })
}

const shown = [
  'TABLES',
  'DATABASES',
  'COLUMNS',
  'FIELDS',
  'FUNCTIONS',
  'SETTINGS',
  'INDEX',
  'INDEXES',
  'KEYS',
  'CREATE',
]
const begins = ['SELECT', 'DESCRIBE', 'EXPLAIN']
const explanations = ['AST', 'SYNTAX', 'QUERY', 'TREE', 'PLAN', 'PIPELINE', 'ESTIMATE']

function checkKind(tokens: readonly Token[]): void {
  const first = tokens.find((token) => !isSymbol(token, '('))
  if (isWord(first, 'SELECT', 'WITH')) return
  const second = isWord(tokens[1], 'FULL', 'EXTENDED', 'CHANGED') ? tokens[2] : tokens[1]
  if (isWord(tokens[0], 'FROM', 'DESCRIBE', 'DESC', 'EXISTS')) return
  if (isWord(tokens[0], 'SHOW') && isWord(second, ...shown)) return
  const body = explained(tokens).find((token) => !isSymbol(token, '('))
  if (isWord(tokens[0], 'EXPLAIN') && isWord(body, 'SELECT', 'WITH')) return
  const meant = first?.kind === 'word' ? suggest(first.text, begins) : undefined
  if (meant !== undefined && !isWord(first, meant) && insteadOf(tokens) === undefined)
    throw syntaxError(`${first?.text.slice(0, 40)} begins no statement; did you mean ${meant}?`)
  const begin = tokens
    .slice(0, 2)
    .map(({ text }) => text.slice(0, 40))
    .join(' ')
  const instead = insteadOf(tokens)
  throw new StatementRefusal(
    164,
    'READONLY',
    `Cannot execute query in readonly mode: analysts may SELECT, SHOW, DESCRIBE, EXISTS, and EXPLAIN a SELECT, not ${begin}${instead === undefined ? '' : `; ${instead}`}`,
  )
}

/** The query behind `EXPLAIN [kind] [option = number, ...]`; of another statement all of it. */
function explained(tokens: readonly Token[]): readonly Token[] {
  if (!isWord(tokens[0], 'EXPLAIN')) return tokens
  let i = 1
  while (isWord(tokens[i], ...explanations)) i++
  while (tokens[i]?.kind === 'word' && isSymbol(tokens[i + 1], '=')) i += isSymbol(tokens[i + 3], ',') ? 4 : 3
  return tokens.slice(i)
}

/** Clauses that write, or that begin another statement. */
function refuseClauses(tokens: readonly Token[]): void {
  tokens.forEach((token, i) => {
    const next = tokens[i + 1]
    if (isWord(token, 'INTO') && isWord(next, 'OUTFILE')) throw denied('INTO OUTFILE writes a file')
    if (isWord(token, 'PARALLEL') && isWord(next, 'WITH')) throw denied('PARALLEL WITH begins another statement')
    if (isWord(token, 'INSERT') && isWord(next, 'INTO')) throw denied('INSERT writes')
    // A UUID selects a table other than the named one, past the check of its name.
    if (isWord(token, 'UUID') && next?.kind === 'string') throw denied('a table has a name, and no UUID')
  })
}
