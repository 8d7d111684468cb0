/** Statements that move records inside ClickHouse: changes by condition, and an index over present records. */
import type { Condition } from '../query/ast.ts'
import type { SqlStatement } from '../statement.ts'
import { entriesGiven, entriesOf, entriesSql } from './entries.ts'
import { mainRows, orderKey } from './records.ts'
import { matching, type Scoped } from './select.ts'
import { storageOf, type Table, type TableIndex } from './table.ts'
import { compileWhere } from './where.ts'

const columns = `${orderKey}, doc, _v, _version, _deleted`
/** One block, so one part, up to a million rows or 256 MB. */
const whole = 'SETTINGS max_insert_threads = 1'

/** Ends every record that matches. */
export function compileRemoval(
  table: Table,
  { scope, params }: Scoped,
  where: Condition | undefined,
  version: number,
): SqlStatement {
  const rows = `arrayConcat([(toUInt32(0), '', 0.)], ${entriesSql('doc', table.indexes)})`
  return {
    text: [
      `INSERT INTO ${storageOf(table)} (${columns})`,
      `SELECT entry.1, entry.2, entry.3, _pk, _seq, '', _v, ${version}, 1`,
      `FROM (${matches(table, { scope, params }, where)}) ARRAY JOIN ${rows} AS entry ${whole}`,
    ].join(' '),
    params: params.params,
  }
}

/** Gives every record that matches another document. */
export function compileReplacement(
  table: Table,
  scoped: Scoped,
  where: Condition | undefined,
  document: string,
  version: number,
): SqlStatement {
  const { params } = scoped
  const given = entriesGiven(entriesOf(document, table.indexes), params)
  const before = entriesSql('doc', table.indexes)
  const rows = [
    "arrayConcat([(toUInt32(0), '', 0., 0)]",
    `arrayMap(entry -> (entry.1, entry.2, entry.3, 0), ${given})`,
    `arrayMap(entry -> (entry.1, entry.2, entry.3, 1), arrayFilter(entry -> NOT has(${given}, entry), ${before})))`,
  ].join(', ')
  return {
    text: [
      `INSERT INTO ${storageOf(table)} (${columns})`,
      `SELECT row.1, row.2, row.3, _pk, _seq, if(row.4 = 0, ${params.add(document, 'String')}, '')`,
      `, ${table.versioned ? (table.duplicates ? '_next' : '_v + 1') : '1'}, ${version}, row.4`,
      `FROM (${(table.versioned && table.duplicates ? numbered : matches)(table, scoped, where)}) ARRAY JOIN ${rows} AS row ${whole}`,
    ].join(' '),
    params: params.params,
  }
}

const matches = (table: Table, { scope, params }: Scoped, where: Condition | undefined): string =>
  `SELECT _pk, _seq, _v, doc FROM ${storageOf(table)} FINAL WHERE ${matching(table, scope, where, params).join(' AND ')}`

/** The records that match, each with the next number of its key, `_next`: the newest gets the greatest. */
function numbered(table: Table, { scope, params }: Scoped, where: Condition | undefined): string {
  const meant = `SELECT _pk FROM ${storageOf(table)} FINAL WHERE ${matching(table, scope, where, params).join(' AND ')}`
  const next = 'max(_v) OVER (PARTITION BY _pk) + sum(_meant) OVER (PARTITION BY _pk ORDER BY _seq DESC)'
  return [
    `SELECT _pk, _seq, doc, _next FROM (SELECT _pk, _seq, doc, (${where ? compileWhere(table, where, params) : '1'}) AS _meant,`,
    `${next} AS _next FROM ${storageOf(table)} FINAL WHERE ${mainRows} AND _pk IN (${meant})) WHERE _meant`,
  ].join(' ')
}

/** Copies the records that are there under a new index, each with its version: versions written since then count more. */
export const compileIndexBuild = (table: Table, index: TableIndex): SqlStatement => ({
  text: [
    `INSERT INTO ${storageOf(table)} (${columns})`,
    'SELECT entry.1, entry.2, entry.3, _pk, _seq, doc, _v, _version, 0',
    `FROM (SELECT _pk, _seq, doc, _v, _version FROM ${storageOf(table)} FINAL WHERE ${mainRows})`,
    `ARRAY JOIN ${entriesSql('doc', [index])} AS entry`,
  ].join(' '),
  params: {},
})

/** The greatest version of any row: column `version`. */
export const compileLastVersion = (table: Table): SqlStatement => ({
  text: `SELECT toString(max(_version)) AS version FROM ${storageOf(table)}`,
  params: {},
})
