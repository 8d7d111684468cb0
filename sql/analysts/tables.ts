import { literal } from '../literal.ts'
import { graphDatabase, tripleTable } from '../schema/names.ts'
import { denied } from './refusal.ts'
import { rowMakers, tableFunctions } from './words.ts'

/** Tables of `system` that show names, types and settings, and no caller's data or queries. */
export const systemTables: readonly string[] = [
  'aggregate_function_combinators',
  'build_options',
  'collations',
  'columns',
  'contributors',
  'data_type_families',
  'databases',
  'dictionaries',
  'formats',
  'functions',
  'keywords',
  'licenses',
  'numbers',
  'numbers_mt',
  'one',
  'parts',
  'settings',
  'table_engines',
  'table_functions',
  'tables',
  'time_zones',
  'zeros',
]

/** Databases of the service alone. */
const closedDatabases: readonly string[] = ['weir', 'weir_records']

/** Tables behind the streams, views and graphs that analysts see: names.ts makes them. ClickHouse's RE2 takes it too. */
const internal =
  '^(weir|_tmp_replace)_|__(in|topic|delivered|keys|properties|[0-9]+)(__|$)|__from__|___(past|next|before|local)'
/** A group's attribute may have any name. */
const groupView = '_by_[0-9]+s(_states)?(__|$)'
const isInternal = (table: string): boolean => new RegExp(internal).test(table) && !new RegExp(groupView).test(table)

const open = new Set(systemTables)
const closed = new Set(closedDatabases)
const isClosed = (database: string): boolean => closed.has(database) || database.startsWith('weir_')

/** The tables that a statement may reach, where that is less than all that analysts see. */
export type Reach = {
  readonly databases: ReadonlySet<string>
  readonly graphs: ReadonlySet<string>
  /** Whether the database is there, for others. */
  readonly hides: (database: string) => boolean
}

/** Databases that any statement may read: they describe the others. */
const common = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA', 'default'])

const graphTables = ({ graphs }: Reach): string[] => [...graphs].flatMap((graph) => [graph, tripleTable(graph)])

const outOfReach = (name: string) => denied(`this needs the scope read on ${name}, which the key has not`)

/** Refuses a name that leads to another's database; `isTable` tells one that stands where a table does. */
export function checkReach(parts: readonly string[], isTable: boolean, reach: Reach): void {
  const [database = '', table] = parts
  if (database === graphDatabase && table !== undefined) {
    if (!graphTables(reach).includes(table)) throw outOfReach(parts.join('.'))
    return
  }
  if (!isTable && table === undefined) return
  const isReached = reach.databases.has(database) || common.has(database)
  if (!isReached && (table === undefined || !isTable ? reach.hides(database) : true)) throw outOfReach(parts.join('.'))
}

function checkOpen(database: string): void {
  if (isClosed(database)) throw denied(`the database ${database} is the service's own`)
}

/** Refuses a dotted name that reaches into tables that are not for analysts, wherever it stands. */
export function checkChain(parts: readonly string[]): void {
  const [database = '', table] = parts
  if (table === undefined) return
  checkOpen(database)
  if (database === 'system' && !open.has(table)) {
    throw denied(`system.${table} is not for analysts: of system there are ${systemTables.join(', ')}`)
  }
}

/** Refuses a name that stands where a table does, or a database: SHOW TABLES FROM it. */
export function checkTable(parts: readonly string[]): void {
  checkChain(parts)
  checkOpen(parts[0] ?? '')
  const table = parts.at(-1) ?? ''
  if (isInternal(table)) {
    throw denied(`${parts.join('.')} is a table behind the ones for analysts: SHOW TABLES names those`)
  }
}

export function checkDatabase(database: string, reach?: Reach): void {
  checkOpen(database)
  if (reach && !reach.databases.has(database) && database !== 'default') throw outOfReach(database)
  if (database === 'system') throw denied('system cannot be the database of a query: write system.tables and the like')
}

const insteads: Readonly<Record<string, string>> = {
  merge: 'UNION ALL puts rows of several tables together',
  format: "values('a Int64, b String', (1, 'x')) makes rows",
  input: "values('a Int64, b String', (1, 'x')) makes rows",
  generaterandom: 'rand() over numbers(n) makes random rows',
  loop: 'numbers(n) repeats rows in a CROSS JOIN',
}

export function checkTableFunction(name: string): void {
  if (tableFunctions.has(name.toLowerCase())) return
  const instead = insteads[name.toLowerCase()]
  throw denied(
    `the table function ${name} is not for analysts, of table functions there are ${rowMakers.join(', ')}${instead === undefined ? '' : `; ${instead}`}`,
  )
}

const listings: readonly string[] = [
  'system.tables',
  'system.columns',
  'system.databases',
  'system.parts',
  'system.dictionaries',
]

/** Refuses an alias by which ClickHouse would look up the filter of another table. */
export function checkOtherName(name: string): void {
  if (listings.includes(name)) throw denied(`${name} cannot be another table's name`)
}

/** Rows of the tables of names that analysts do not see, as `additional_table_filters` takes it. */
export function listingFilters(reach?: Reach): Readonly<Record<string, string>> {
  const list = (values: Iterable<string>): string =>
    `(${['', ...values].map((value) => literal(value, 'String')).join(', ')})`
  const isOpen = (column: string): string =>
    `NOT startsWith(${column}, 'weir_') AND ${column} NOT IN ${list(closedDatabases)}`
  const isReached = (database: string, table?: string): string => {
    if (!reach) return isOpen(database)
    const graphs = table === undefined && reach.graphs.size > 0 ? [graphDatabase] : []
    const own = `${database} IN ${list([...reach.databases, ...common, ...graphs])}`
    return table === undefined ? own : `(${own} OR ${database} = 'graph' AND ${table} IN ${list(graphTables(reach))})`
  }
  const names = (column: string): string =>
    [
      `if(database = 'system', ${column} IN ${list(systemTables)},`,
      `${isOpen('database')} AND ${isReached('database', column)}`,
      `AND (match(${column}, '${groupView}') OR NOT match(${column}, '${internal}')))`,
    ].join(' ')
  return {
    'system.tables': names('name'),
    'system.columns': names('table'),
    'system.parts': names('table'),
    'system.dictionaries': '0',
    'system.databases': `${isOpen('name')} AND ${isReached('name')}`,
  }
}
