/**
 * Tables of `system` without the places of their files: how large tables are, which there are. ClickHouse holds no grants of
 * columns against its system tables, so each mention of such a table becomes a query of these columns alone.
 */
import { isSymbol, isWord } from './clauses.ts'
import { type Token, tokenize } from './lexer.ts'
import { denied } from './refusal.ts'
import { clauseWords } from './words.ts'

const columns: Readonly<Record<string, string>> = {
  databases: 'name engine uuid engine_full comment is_external database',
  parts: `database table name partition partition_id part_type engine active visible level rows
    marks files bytes bytes_on_disk data_compressed_bytes data_uncompressed_bytes primary_key_size primary_key_bytes_in_memory
    primary_key_bytes_in_memory_allocated marks_bytes secondary_indices_compressed_bytes secondary_indices_uncompressed_bytes
    secondary_indices_marks_bytes modification_time refcount min_date max_date min_time max_time default_compression_codec`,
  tables: `database name uuid engine is_temporary metadata_modification_time metadata_version dependencies_database
    dependencies_table create_table_query engine_full as_select parameterized_view_parameters partition_key sorting_key primary_key
    sampling_key unique_key storage_policy total_rows total_bytes total_bytes_uncompressed parts active_parts total_marks
    active_on_fly_data_mutations active_on_fly_alter_mutations active_on_fly_metadata_mutations columns_descriptions_cache_size
    lifetime_rows lifetime_bytes comment has_own_data loading_dependencies_database loading_dependencies_table
    loading_dependent_database loading_dependent_table target_database target_table definer table`,
}

/** The columns that there are, by the tables' names. */
export const reducedTables: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(columns).map(([table, names]) => [`system.${table}`, names.split(/\s+/)]),
)

type Reduced = {
  readonly query: readonly Token[]
  /** The tokens of that query before the table. */
  readonly beforeTable: readonly Token[]
  readonly named: readonly Token[]
}

const reductions = new Map(
  [...reducedTables].map(([table, names]): [string, Reduced] => {
    const query = tokenize(` (SELECT ${names.join(', ')} FROM ${table})`)
    return [
      table,
      { query, beforeTable: query.slice(0, -4), named: tokenize(` AS ${table.slice(table.indexOf('.') + 1)}`) },
    ]
  }),
)

/** Words that may stand behind a table and are no other name of it. */
const behindTable =
  'INNER LEFT RIGHT FULL CROSS ANY ALL ASOF SEMI ANTI GLOBAL ARRAY PASTE FINAL SAMPLE EXCEPT SETTINGS FORMAT'

const isOtherName = (token: Token | undefined): boolean =>
  token?.kind === 'quoted' ||
  isWord(token, 'AS') ||
  (token?.kind === 'word' && !clauseWords.has(token.name.toLowerCase()) && !isWord(token, ...behindTable.split(' ')))

const isPath = ({ kind, name }: Token): boolean =>
  (kind === 'word' || kind === 'quoted') && /(^|\.)(data_paths?|metadata_path)$/.test(name)

/** Refuses the paths in a condition of SHOW TABLES, which ClickHouse itself asks of the whole table. */
export function refusePaths(tokens: readonly Token[]): void {
  if (!isWord(tokens[0], 'SHOW')) return
  tokens.forEach((token, i) => {
    if (isPath(token)) throw denied(`${token.text} is not for analysts`)
    const isCount = isSymbol(tokens[i - 1], '(') && isWord(tokens[i - 2], 'COUNT')
    const namesAll = isSymbol(token, '*') && !isCount
    if (namesAll || (isWord(token, 'COLUMNS') && isSymbol(tokens[i + 1], '('))) {
      throw denied(`a condition of SHOW names its columns, without ${token.text}`)
    }
  })
}

/** A SELECT: the names that its reduced tables have, by the tables, and the SELECT around it. */
type Scope = { readonly names: Map<string, Token>; readonly outer: Scope | undefined }

/** The SELECT in which each token stands: parentheses and UNION set them apart. */
function scopesOf(tokens: readonly Token[]): Scope[] {
  let scope: Scope = { names: new Map(), outer: undefined }
  const open: Scope[] = []
  return tokens.map((token, i) => {
    if (isSymbol(token, '(')) {
      open.push(scope)
      scope = { names: new Map(), outer: scope }
    } else if (isSymbol(token, ')')) scope = open.pop() ?? scope
    const isNext =
      isWord(token, 'UNION', 'INTERSECT') ||
      (isWord(token, 'EXCEPT') && isWord(tokens[i + 1], 'SELECT', 'ALL', 'DISTINCT'))
    if (isNext) scope = { names: new Map(), outer: scope.outer }
    return scope
  })
}

function nameIn(scope: Scope | undefined, table: string): Token | undefined {
  for (let each = scope; each; each = each.outer) {
    const name = each.names.get(table)
    if (name) return name
  }
  return undefined
}

export function reduceTables(tokens: readonly Token[]): Token[] {
  const mentions = mentionsIn(tokens)
  if (mentions.size === 0) return [...tokens]
  const scopes = scopesOf(tokens)
  for (const [i, { table, name }] of mentions) {
    const names = scopes[i]?.names
    if (!names?.has(table)) names?.set(table, name)
  }
  const written: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const [token, dot, table, next] = tokens.slice(i, i + 4)
    if (!token) break
    const mention = mentions.get(i)
    if (mention) {
      const { query, named } = mention.reduction
      written.push(...query, ...(mention.hasName ? [] : named))
      i += 2
      continue
    }
    // `system.tables.name`: the query in its place goes by another name.
    const isColumn = isSymbol(dot, '.') && isSymbol(next, '.') && !isSymbol(tokens[i - 1], '.')
    const name = isColumn ? nameIn(scopes[i], `${token.name}.${table?.name}`) : undefined
    if (name) {
      written.push({ ...name, isApart: true })
      i += 2
      continue
    }
    written.push(token)
  }
  return written
}

type Mention = {
  readonly table: string
  readonly reduction: Reduced
  /** The name that the statement gives it, or that the query in its place gets. */
  readonly name: Token
  readonly hasName: boolean
}

/** The places where a table that is reduced stands behind FROM or JOIN, by the places of their tokens. */
function mentionsIn(tokens: readonly Token[]): Map<number, Mention> {
  const mentions = new Map<number, Mention>()
  // `SHOW COLUMNS FROM system.tables` names it, and has no row of it.
  const isShow = isWord(tokens[0], 'SHOW')
  let depth = 0
  tokens.forEach((token, i) => {
    depth += isSymbol(token, '(') ? 1 : isSymbol(token, ')') ? -1 : 0
    const [dot, last, next, behind] = tokens.slice(i + 1, i + 5)
    const before = tokens[i - 1]
    const table = `${token.name}.${last?.name}`
    const reduction = isSymbol(dot, '.') ? reductions.get(table) : undefined
    if (!reduction || !last || isSymbol(next, '.') || isSymbol(next, '(') || (isShow && depth === 0)) return
    const { beforeTable } = reduction
    const isReduced = beforeTable.every((each, at) => tokens[i - beforeTable.length + at]?.text === each.text)
    if (isReduced || !(isWord(before, 'FROM', 'JOIN') || isSymbol(before, ','))) return
    const hasName = isOtherName(next)
    const other = isWord(next, 'AS') ? behind : next
    mentions.set(i, { table, reduction, hasName, name: (hasName && other) || last })
  })
  return mentions
}
