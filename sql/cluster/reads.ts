/** What of ClickHouse's own tables is asked for; no value of a client's stands before it. */
const asked = /^((?:[^']|'\.')*?FROM )system\.(parts|tables)\b/

/**
 * A question about what tables hold, over all shards: rows are in the parts, and count for the tables over them. Questions
 * that ask only for names stay as they are.
 */
export function readOnCluster(text: string, cluster: string): string {
  const [, before, table] = asked.exec(text) ?? []
  if (before === undefined) return text
  const rest = text.slice(before.length + `system.${table}`.length)
  if (table === 'parts') return `${before}${ofParts(`cluster('${cluster}', system.parts)`, 'table')}${rest}`
  if (/\btotal_(rows|bytes)/.test(text))
    return `${before}${ofParts(`cluster('${cluster}', system.tables)`, 'name')}${rest}`
  if (rest.startsWith(' WHERE comment = ')) return `${before}${ofParts('system.tables', 'name')}${rest}`
  return text
}

const ofParts = (from: string, column: string): string =>
  `(SELECT * REPLACE (replaceRegexpOne(${column}, '___local$', '') AS ${column}) FROM ${from} AS p WHERE endsWith(p.${column}, '___local'))`
