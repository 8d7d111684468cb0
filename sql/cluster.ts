/**
 * Weir's tables on a cluster. A table `T` that holds rows is a replicated part `T___local` on each node, and a
 * Distributed table `T` over the parts of all shards, by which it is read and written. Null tables, Kafka tables and
 * views live on every node, and a node's views write into its own parts: the aggregates' states merge over all parts when
 * they are read.
 *
 * Statements are written for one server; this file rewrites each for a cluster. Why by `ON CLUSTER`, and not by databases of
 * engine Replicated: docs/adr/0023-ddl-on-a-cluster.md.
 */

/** The part of a table that a node keeps. Three underscores: no client's name has them. */
export const localOf = (table: string): string =>
  table.endsWith('`') ? `${table.slice(0, -1)}___local\`` : `${table}___local`

/** A table that holds nothing: each node has its own, and rows that come to a node pass there. */
const isPassing = (table: string): boolean => /__(in|topic|delivered)`?$/.test(table)

const partOf = (table: string): string => (isPassing(table) ? table : localOf(table))

const on = (cluster: string): string => `ON CLUSTER \`${cluster}\``

type Form = {
  readonly pattern: RegExp
  readonly write: (cluster: string, ...groups: string[]) => string[]
}

/** A name in backticks may have dots: the table of a group by a field of an OBJECT. */
const table = '((?:`[\\w.]+`|\\w+)(?:\\.(?:`[\\w.]+`|\\w+))?)'
const like = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll('<table>', table).replaceAll('<if>', '( IF NOT EXISTS| IF EXISTS)?')}$`, 's')

/** The forms of Weir's statements that make or change tables: the first that a statement is like counts. */
const forms: readonly Form[] = [
  {
    pattern: like('(CREATE|DROP) DATABASE<if> <table>(.*)'),
    write: (cluster, verb, condition = '', name = '', rest = '') => [
      `${verb} DATABASE${condition} ${name} ${on(cluster)}${rest}`,
    ],
  },
  {
    pattern: like('CREATE TABLE<if> <table> CLONE AS <table>'),
    write: (cluster, condition = '', name = '', from = '') => [
      ...createLike(cluster, condition, name, from),
      `ALTER TABLE ${localOf(name)} ${on(cluster)} ATTACH PARTITION ALL FROM ${localOf(from)}`,
    ],
  },
  {
    pattern: like('CREATE TABLE<if> <table> AS <table>'),
    write: (cluster, condition = '', name = '', from = '') => createLike(cluster, condition, name, from),
  },
  {
    pattern: like('CREATE TABLE<if> <table> (\\(.*)'),
    write: (cluster, condition = '', name = '', body = '') =>
      isPassing(name)
        ? [`CREATE TABLE${condition} ${name} ${on(cluster)} ${body}`]
        : createStored(cluster, condition, name, body),
  },
  {
    // A view is set off by inserts into the part, not by those into the table over it.
    pattern: like('CREATE MATERIALIZED VIEW<if> <table>\\sTO <table> AS SELECT \\* FROM <table>'),
    write: (cluster, condition = '', name = '', to = '', from = '') => [
      `CREATE MATERIALIZED VIEW${condition} ${name} ${on(cluster)}\nTO ${localOf(to)} AS SELECT * FROM ${localOf(from)}`,
    ],
  },
  {
    pattern: like('CREATE MATERIALIZED VIEW<if> <table>\\sTO <table> AS(.*)'),
    write: (cluster, condition = '', name = '', to = '', select = '') => [
      `CREATE MATERIALIZED VIEW${condition} ${name} ${on(cluster)}\nTO ${partOf(to)} AS${select}`,
    ],
  },
  {
    pattern: like('CREATE( OR REPLACE)? VIEW<if> <table>(?=( AS| \\())(.*)'),
    write: (cluster, replaced = '', condition = '', name = '', _begin = '', rest = '') => [
      `CREATE${replaced} VIEW${condition} ${name} ${on(cluster)}${rest}`,
    ],
  },
  {
    pattern: like('DROP VIEW IF EXISTS <table> SYNC'),
    write: (cluster, name = '') => [drop(cluster, name, 'VIEW')],
  },
  {
    pattern: like('DROP TABLE IF EXISTS <table> SYNC'),
    write: (cluster, name = '') =>
      isPassing(name) ? [drop(cluster, name)] : [drop(cluster, name), drop(cluster, localOf(name))],
  },
  {
    pattern: like('ALTER TABLE <table> (MODIFY QUERY .*)'),
    write: (cluster, name, change) => [`ALTER TABLE ${name} ${on(cluster)} ${change}`],
  },
  {
    // It tells which of two tables has the place: the table over that one is made anew, since a crash may have come between.
    pattern: like('ALTER TABLE <table> (MODIFY COMMENT .*)'),
    write: (cluster, name = '', change = '') => [...alter(cluster, name, change), replaceDistributed(cluster, name)],
  },
  {
    pattern: like('ALTER TABLE <table> (.*)'),
    write: (cluster, name = '', change = '') => alter(cluster, name, change),
  },
  {
    pattern: like('RENAME TABLE <table> TO <table>'),
    write: (cluster, from = '', to = '') => [
      `RENAME TABLE ${localOf(from)} TO ${localOf(to)} ${on(cluster)}`,
      ...(isAside(from) || isAside(to) ? [] : [replaceDistributed(cluster, to)]),
      drop(cluster, from),
    ],
  },
  {
    pattern: like('EXCHANGE TABLES <table> AND <table>'),
    write: (cluster, one = '', other = '') => [
      `EXCHANGE TABLES ${localOf(one)} AND ${localOf(other)} ${on(cluster)}`,
      ...[one, other].map((name) => replaceDistributed(cluster, name)),
    ],
  },
  {
    pattern: like('DELETE FROM <table> (WHERE .*)'),
    write: (cluster, name = '', where = '') => [`DELETE FROM ${localOf(name)} ${on(cluster)} ${where}`],
  },
  {
    pattern: like('KILL (QUERY|MUTATION) (.*)'),
    write: (cluster, what, rest) => [`KILL ${what} ${on(cluster)} ${rest}`],
  },
]

/** Runs on any one node: rows go through the Distributed tables. */
const ofRows = /^(INSERT INTO|SELECT|WITH)\s/

/** The statements of a cluster for one of a single server, in their order. Services in tests refuse a form that is not listed. */
export function onCluster(statement: string, cluster: string): string[] {
  if (ofRows.test(statement)) return [statement]
  for (const { pattern, write } of forms) {
    const [, ...groups] = pattern.exec(statement) ?? []
    if (groups.length > 0) return write(cluster, ...groups)
  }
  throw new Error(`no form on a cluster for ${statement.slice(0, 80)}`)
}

const drop = (cluster: string, name: string, kind = 'TABLE'): string =>
  `DROP ${kind} IF EXISTS ${name} ${on(cluster)} SYNC`

/** Columns are those of the part and of the table over it; all else is the part's alone. */
function alter(cluster: string, name: string, change: string): string[] {
  const at = (place: string): string => `ALTER TABLE ${place} ${on(cluster)} ${change}`
  if (isPassing(name)) return [at(name)]
  const ofParts = change.replace(
    /^(ATTACH PARTITION .* FROM )(\S+)$/s,
    (_, head: string, from: string) => head + localOf(from),
  )
  const part = `ALTER TABLE ${localOf(name)} ${on(cluster)} ${ofParts}`
  return /^(ADD|MODIFY|DROP) COLUMN /.test(change) ? [part, at(name)] : [part]
}

/** No statement reads a table that is set aside; where it comes back, the statement that makes it gives it its table over the parts. */
const isAside = (name: string): boolean => name.startsWith('`weir_kept_')

const createLike = (cluster: string, condition: string, name: string, from: string): string[] => [
  `CREATE TABLE${condition} ${localOf(name)} ${on(cluster)} AS ${localOf(from)}`,
  createDistributed(cluster, name),
]

const engine = /ENGINE = (\w*MergeTree)(?=[\s(])/

/** A table that holds rows: a part on each node, under the default path in Keeper (it has the UUID in it: a table may be renamed). */
const createStored = (cluster: string, condition: string, name: string, body: string): string[] => [
  `CREATE TABLE${condition} ${localOf(name)} ${on(cluster)} ${body
    .replace(engine, 'ENGINE = Replicated$1')
    .replace(
      /\bnon_replicated_deduplication_window = (\d+)/,
      'replicated_deduplication_window = $1, replicated_deduplication_window_seconds = 604800',
    )}`,
  createDistributed(cluster, name, shardingKey(body)),
]

/** Columns; a table in no order has `tuple()`. */
const order = /ORDER BY (?:\(([^()]*)\)|(\w+)\b(?!\())/

/** Rows of equal keys are on one shard, where one replaces the other. */
function shardingKey(body: string): string {
  const [, several, one] = order.exec(body.slice(body.search(engine))) ?? []
  const columns = several ?? one
  return columns === undefined ? 'rand()' : `cityHash64(${columns})`
}

const createDistributed = (cluster: string, name: string, key = 'rand()'): string =>
  `CREATE TABLE IF NOT EXISTS ${name} ${on(cluster)} ${distributed(cluster, name, key)}`

/** The same, where the part has become another one. Only tables whose rows merge on any shard take one another's place. */
const replaceDistributed = (cluster: string, name: string): string =>
  `CREATE OR REPLACE TABLE ${name} ${on(cluster)} ${distributed(cluster, name, 'rand()')}`

const names = /^`?(\w+)`?\.(?:`([\w.]+)`|(\w+))$/

function distributed(cluster: string, name: string, key: string): string {
  const [, database, quoted, plain] = names.exec(localOf(name)) ?? []
  const part = quoted ?? plain
  if (database === undefined || part === undefined) throw new Error(`${name.slice(0, 80)} names no table of a database`)
  return `AS ${localOf(name)}\nENGINE = Distributed('${cluster}', '${database}', '${part}', ${key})`
}

/** A question to ClickHouse's own tables; no client's value stands before their name. */
const asked = /^((?:[^']|'\.')*?FROM )system\.(parts|tables)\b/

/**
 * A question about the rows of tables, over all shards: rows are in the parts, and count for the tables over them. A
 * question that asks only for names stays as it is.
 */
export function readOnCluster(text: string, cluster: string): string {
  const [, before, of] = asked.exec(text) ?? []
  if (before === undefined) return text
  const rest = text.slice(before.length + `system.${of}`.length)
  if (of === 'parts') return `${before}${ofParts(`cluster('${cluster}', system.parts)`, 'table')}${rest}`
  if (/\btotal_(rows|bytes)/.test(text))
    return `${before}${ofParts(`cluster('${cluster}', system.tables)`, 'name')}${rest}`
  if (rest.startsWith(' WHERE comment = ')) return `${before}${ofParts('system.tables', 'name')}${rest}`
  return text
}

const ofParts = (from: string, column: string): string =>
  `(SELECT * REPLACE (replaceRegexpOne(${column}, '___local$', '') AS ${column}) FROM ${from} AS p WHERE endsWith(p.${column}, '___local'))`
