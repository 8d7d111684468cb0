import Router, { type RouterContext } from '@koa/router'
import { fault } from '../../infra/faults.ts'
import { encodeCode, keyTypes, tableTypes } from '../../sql/schema/codes.ts'
import type { Table } from '../../sql/table/table.ts'
import { parseJson } from '../ingest/json.ts'
import { readText } from '../middleware/body.ts'
import { keyText, type Records } from '../services/records.ts'
import type { TableIndexes } from '../services/table-indexes.ts'
import type { TableStatistics } from '../services/table-statistics.ts'
import type { OpenTable, Tables } from '../services/tables.ts'
import { parameter } from './parameter.ts'
import { queryText } from './url-text.ts'

export type TableRoutesDeps = {
  readonly tables: Tables
  readonly indexes: TableIndexes
  readonly records: Records
  readonly statistics: TableStatistics
  /** Megabytes that ClickHouse may cache. */
  readonly cacheMb: number
  readonly bodyLimit: number
}

const defaultDatabase = 'mydb'

/** Tables, their records and what there is to know of them: interface 4.1 to 4.3 and 4.15, decisions 3. */
export function tableRoutes({ tables, indexes, records, statistics, cacheMb, bodyLimit }: TableRoutesDeps): Router {
  const router = new Router()
  const bodyOf = (context: RouterContext, what: string): Promise<string> => readText(context, bodyLimit, what)
  const tableOf = (context: RouterContext): OpenTable =>
    tables.find(parameter(context, 'database'), parameter(context, 'table'))

  /** Paths of other calls look like tables', and some such table may be there. */
  const namedTableOf = (context: RouterContext): OpenTable => {
    const [database, name] = [parameter(context, 'database'), parameter(context, 'table')]
    if (isCall(database, name) && !tables.list(database).some(({ table }) => table.name === name)) {
      throw fault('method', `${context.path} takes POST, not ${context.method}`, { headers: { Allow: 'POST' } })
    }
    return tables.find(database, name)
  }

  router.get('/db', (context) => {
    const databases = tables.databases()
    context.body = { dbname: defaultDatabase, databases, num_databases: databases.length }
  })

  router.post('/db/:database/table', async (context) => {
    const wire = parseJson(await bodyOf(context, 'the table'), 'the table')
    const { database, name } = await tables.create(parameter(context, 'database'), wire)
    context.body = { errcode: 0, msg: `table ${database}.${name} is created` }
  })

  router.get('/db/:database/:table/tableenv', (context) => {
    context.body = settingsOf(tableOf(context).table)
  })

  router.get('/db/:database/list', (context) => {
    const names = tables.list(parameter(context, 'database')).map(({ table }) => table.name)
    context.body = { tables: names.sort(), num_tables: names.length }
  })
  router.get('/db/:database/list/:flag', async (context) => {
    context.body = await list(parameter(context, 'database'), isVerbose(context))
  })
  router.get('/db/:database/stat', async (context) => {
    context.body = await list(parameter(context, 'database'), true)
  })
  router.get('/db/:database/count', (context) => {
    context.body = { count: tables.list(parameter(context, 'database')).length }
  })

  async function list(database: string, verbose: boolean) {
    const own = tables
      .list(database)
      .map(({ table }) => table)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const items = [...(await statistics.items(own, verbose)), ...(await statistics.systemItems(verbose))]
    return { database, buffer_pool: cacheMb, tables: items, num_tables: items.length }
  }

  router.get('/db/:database/:table', async (context) => {
    const opened = namedTableOf(context)
    const key = queryText(context, 'key')
    if (key === undefined) {
      context.body = settingsOf(opened.table)
      return
    }
    context.type = 'application/json'
    context.body = await records.get(opened, key)
  })

  router.get('/db/:database/:table/count', async (context) => {
    const [item] = await statistics.items([tableOf(context).table], false)
    context.body = { count: item?.num_records ?? 0 }
  })
  router.get('/db/:database/:table/stat/:flag', async (context) => {
    const [item] = await statistics.items([tableOf(context).table], isVerbose(context))
    context.body = item ?? {}
  })

  router.delete('/db/:database/:table', async (context) => {
    const opened = namedTableOf(context)
    const key = queryText(context, 'key')
    if (key === undefined) {
      const [other] = Object.keys(context.query)
      if (other !== undefined)
        throw fault('invalid', `${other}: no parameter drops a table, key=<key> removes a record`)
      await tables.drop(parameter(context, 'database'), opened.table.name)
      context.body = { errcode: 0, msg: `table ${opened.table.name} is dropped` }
    } else answerRecord(context, opened.table, (await records.remove(opened, key)).key, 'removed')
  })

  router.post('/db/:database/:table/doc', async (context) => {
    const opened = tableOf(context)
    const { key } = await records.put(opened, await bodyOf(context, 'the record'))
    answerRecord(context, opened.table, key, 'stored')
  })
  router.put('/db/:database/:table/doc', async (context) => {
    const opened = tableOf(context)
    const { key } = await records.replace(opened, await bodyOf(context, 'the record'))
    answerRecord(context, opened.table, key, 'replaced')
  })

  router.post('/db/:database/:table/index', async (context) => {
    const { table } = tableOf(context)
    const wire = parseJson(await bodyOf(context, 'the index'), 'the index')
    const path = await indexes.add(table.database, table.name, wire)
    context.body = { errcode: 0, msg: `index ${path} of table ${table.name} is built` }
  })
  router.delete('/db/:database/:table/index/:index', async (context) => {
    const { table } = tableOf(context)
    const path = parameter(context, 'index')
    await indexes.drop(table.database, table.name, path)
    context.body = { errcode: 0, msg: `index ${path} of table ${table.name} is dropped` }
  })

  return router
}

/** The key is JSON text already: a long may exceed what a double holds. */
function answerRecord(context: RouterContext, table: Table, key: string, what: string): void {
  const msg = JSON.stringify(`record ${key.slice(0, 128)} of table ${table.name} is ${what}`)
  context.type = 'application/json'
  context.body = `{"errcode":0,"msg":${msg},"_pk":${keyText(table, key)}}`
}

const isCall = (database: string, name: string): boolean =>
  ['query', 'table'].includes(name) || (database === 'notification' && ['register', 'state'].includes(name))

function isVerbose(context: RouterContext): boolean {
  const flag = parameter(context, 'flag')
  if (flag === '0' || flag === '1') return flag === '1'
  throw fault('invalid', `${JSON.stringify(flag.slice(0, 40))}: write 0 for brief items or 1 for verbose ones`)
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

const settingsOf = (table: Table) => ({
  database: table.database,
  table_name: table.name,
  table_type: encodeCode(tableTypes, table.kind),
  key_type: encodeCode(keyTypes, table.keyKind),
  key_sz: table.keyKind === 'NORMAL_KEY_LONG' ? 8 : table.keyBytes,
  allow_duplicate: flag(table.duplicates),
  allow_rev_idx: flag(table.words === 'all'),
  version_type: flag(table.versioned),
  indexes: table.indexes.map((index) => ({
    index_name: index.path,
    key_type: encodeCode(keyTypes, index.keyKind),
    key_size: index.keyBytes,
    allow_duplicate: flag(index.duplicates),
  })),
  rev_idx: table.words === 'all' ? [] : table.words,
})
