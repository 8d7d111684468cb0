import { localOf, partsOf } from './names.ts'

/** `ON CLUSTER` with the cluster's name. */
export const clause = (cluster: string): string => `ON CLUSTER \`${cluster}\``

/** The table over all nodes' parts. Rows of equal `key` are kept by one shard, so that they are merged there. */
const distributed = (table: string, cluster: string, key: string): string => {
  const { database, name } = partsOf(localOf(table))
  return `AS ${localOf(table)}\nENGINE = Distributed('${cluster}', '${database}', '${name}', ${key})`
}

export const createDistributed = (table: string, cluster: string, key = 'rand()'): string =>
  `CREATE TABLE IF NOT EXISTS ${table} ${clause(cluster)} ${distributed(table, cluster, key)}`

/** The same, where the part has become another one. */
export const replaceDistributed = (table: string, cluster: string): string =>
  `CREATE OR REPLACE TABLE ${table} ${clause(cluster)} ${distributed(table, cluster, 'rand()')}`

const engine = /ENGINE = (\w*MergeTree)(?=[\s(])/
/** Columns; a table in no order has `tuple()`. */
const order = /ORDER BY (?:\(([^()]*)\)|(\w+)\b(?!\())/

/** Under the default path, which has the table's UUID in it: a table may be renamed. */
const replicated = (body: string): string =>
  body
    .replace(engine, 'ENGINE = Replicated$1')
    .replace(
      /\bnon_replicated_deduplication_window = (\d+)/,
      'replicated_deduplication_window = $1, replicated_deduplication_window_seconds = 604800',
    )

const shardingKey = (body: string): string => {
  const [, several, one] = order.exec(body.slice(body.search(engine))) ?? []
  const columns = several ?? one
  return columns === undefined ? 'rand()' : `cityHash64(${columns})`
}

/** A table that holds rows: a replicated part on each node, and the table over them. */
export const createStored = (condition: string, table: string, body: string, cluster: string): string[] => [
  `CREATE TABLE${condition} ${localOf(table)} ${clause(cluster)} ${replicated(body)}`,
  createDistributed(table, cluster, shardingKey(body)),
]
