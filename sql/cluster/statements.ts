/**
 * What a statement of Weir's becomes on a cluster. A table that holds rows is a replicated part on each node, and a
 * Distributed table under its own name, through which it is read. Null tables, Kafka tables and views live on every node,
 * and a node's views write into its own parts: the aggregates' states merge over all parts when they are read.
 */
import { isPassing, localOf } from './names.ts'
import { clause, createDistributed, createStored, replaceDistributed } from './tables.ts'

type Rule = {
  readonly form: RegExp
  readonly write: (cluster: string, ...groups: string[]) => string[]
}

const table = '((?:`\\w+`|\\w+)(?:\\.(?:`\\w+`|\\w+))?)'
const form = (text: string): RegExp => new RegExp(`^${text.replaceAll('<table>', table)}$`, 's')

const dropStored = (cluster: string, name: string): string[] =>
  [name, localOf(name)].map((each) => `DROP TABLE IF EXISTS ${each} ${clause(cluster)} SYNC`)

/** Columns are those of the part and of the table over it; all else is the part's alone. */
function alter(cluster: string, name: string, change: string): string[] {
  const at = (place: string): string => `ALTER TABLE ${place} ${clause(cluster)} ${change}`
  if (isPassing(name)) return [at(name)]
  const ofParts = change.replace(
    /^(ATTACH PARTITION .* FROM )(\S+)$/s,
    (_, head: string, from: string) => head + localOf(from),
  )
  const part = `ALTER TABLE ${localOf(name)} ${clause(cluster)} ${ofParts}`
  return /^(ADD|MODIFY|DROP) COLUMN /.test(change) ? [part, at(name)] : [part]
}

/** Parts are renamed; the tables over them are made anew where a part is, and go where none is any more. */
function rename(cluster: string, list: string): string[] {
  const moves = list.split(', ').map((move) => move.split(' TO '))
  const targets = new Set(moves.map(([, to = '']) => to))
  const left = moves.map(([from = '']) => from).filter((from) => !targets.has(from))
  return [
    `RENAME TABLE ${moves.map((move) => move.map(localOf).join(' TO ')).join(', ')} ${clause(cluster)}`,
    ...[...targets].map((name) => replaceDistributed(name, cluster)),
    ...left.map((name) => `DROP TABLE IF EXISTS ${name} ${clause(cluster)} SYNC`),
  ]
}

const copy = (cluster: string, condition: string, name: string, from: string): string[] => [
  `CREATE TABLE${condition} ${localOf(name)} ${clause(cluster)} AS ${localOf(from)}`,
  createDistributed(name, cluster),
]

const rules: readonly Rule[] = [
  {
    form: form('(CREATE|DROP) DATABASE( IF NOT EXISTS| IF EXISTS)? <table>(.*)'),
    write: (cluster, verb, condition = '', name = '', rest = '') => [
      `${verb} DATABASE${condition} ${name} ${clause(cluster)}${rest}`,
    ],
  },
  {
    form: form('CREATE TABLE( IF NOT EXISTS)? <table> CLONE AS <table>'),
    write: (cluster, condition = '', name = '', from = '') => [
      ...copy(cluster, condition, name, from),
      `ALTER TABLE ${localOf(name)} ${clause(cluster)} ATTACH PARTITION ALL FROM ${localOf(from)}`,
    ],
  },
  {
    form: form('CREATE TABLE( IF NOT EXISTS)? <table> AS <table>'),
    write: (cluster, condition = '', name = '', from = '') => copy(cluster, condition, name, from),
  },
  {
    form: form('CREATE TABLE( IF NOT EXISTS)? <table> (\\(.*)'),
    write: (cluster, condition = '', name = '', body = '') =>
      isPassing(name)
        ? [`CREATE TABLE${condition} ${name} ${clause(cluster)} ${body}`]
        : createStored(condition, name, body, cluster),
  },
  {
    // Only what is inserted into a part sets a view off.
    form: form('CREATE MATERIALIZED VIEW( IF NOT EXISTS)? <table>\\sTO <table> AS SELECT \\* FROM <table>'),
    write: (cluster, condition = '', name = '', to = '', from = '') => [
      `CREATE MATERIALIZED VIEW${condition} ${name} ${clause(cluster)}\nTO ${localOf(to)} AS SELECT * FROM ${localOf(from)}`,
    ],
  },
  {
    form: form('CREATE MATERIALIZED VIEW( IF NOT EXISTS)? <table>\\sTO <table> AS(.*)'),
    write: (cluster, condition = '', name = '', to = '', select = '') => [
      `CREATE MATERIALIZED VIEW${condition} ${name} ${clause(cluster)}\nTO ${isPassing(to) ? to : localOf(to)} AS${select}`,
    ],
  },
  {
    form: form('CREATE( OR REPLACE)? VIEW( IF NOT EXISTS)? <table> AS(.*)'),
    write: (cluster, replaced = '', condition = '', name = '', select = '') => [
      `CREATE${replaced} VIEW${condition} ${name} ${clause(cluster)} AS${select}`,
    ],
  },
  {
    form: form('DROP VIEW IF EXISTS <table> SYNC'),
    write: (cluster, name) => [`DROP VIEW IF EXISTS ${name} ${clause(cluster)} SYNC`],
  },
  {
    form: form('DROP TABLE IF EXISTS <table> SYNC'),
    write: (cluster, name = '') =>
      isPassing(name) ? [`DROP TABLE IF EXISTS ${name} ${clause(cluster)} SYNC`] : dropStored(cluster, name),
  },
  {
    form: form('ALTER TABLE <table> (MODIFY QUERY .*)'),
    write: (cluster, name, change) => [`ALTER TABLE ${name} ${clause(cluster)} ${change}`],
  },
  { form: form('ALTER TABLE <table> (.*)'), write: (cluster, name = '', change = '') => alter(cluster, name, change) },
  { form: form('RENAME TABLE (.*)'), write: (cluster, list = '') => rename(cluster, list) },
  {
    form: form('EXCHANGE TABLES <table> AND <table>'),
    write: (cluster, one = '', other = '') => [
      `EXCHANGE TABLES ${localOf(one)} AND ${localOf(other)} ${clause(cluster)}`,
      ...[one, other].map((name) => replaceDistributed(name, cluster)),
    ],
  },
  {
    form: form('DELETE FROM <table> (WHERE .*)'),
    write: (cluster, name = '', where = '') => [`DELETE FROM ${localOf(name)} ${clause(cluster)} ${where}`],
  },
  {
    form: form('TRUNCATE TABLE <table>'),
    write: (cluster, name = '') => [`TRUNCATE TABLE ${localOf(name)} ${clause(cluster)}`],
  },
  { form: form('KILL QUERY (.*)'), write: (cluster, rest) => [`KILL QUERY ${clause(cluster)} ${rest}`] },
]

/** What runs on any one node: rows go through the Distributed tables. */
const plain = /^(INSERT INTO|SELECT|WITH)\s/

export function onCluster(statement: string, cluster: string): string[] {
  if (plain.test(statement)) return [statement]
  for (const rule of rules) {
    const [, ...groups] = rule.form.exec(statement) ?? []
    if (groups.length > 0) return rule.write(cluster, ...groups)
  }
  throw new Error(`no form on a cluster for ${statement.slice(0, 80)}`)
}
