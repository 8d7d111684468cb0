import type { RouterContext } from '@koa/router'
import type { Registry } from '../../activities/registry/registry.ts'
import { lookupsOf } from '../../activities/rules/check-rules.ts'
import type { Dependents } from '../../activities/saved/dependents.ts'
import type { TableIndexes } from '../../activities/tables/indexes.ts'
import { loadRecords } from '../../activities/tables/load-records.ts'
import type { OpenTable } from '../../activities/tables/open-tables.ts'
import type { Records } from '../../activities/tables/records.ts'
import { settingsOf } from '../../activities/tables/show-settings.ts'
import type { Tables } from '../../activities/tables/tables.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import { keyText } from '../../sql/table/record-text.ts'
import type { Table } from '../../sql/table/table.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { isEverywhere, permit, sees } from '../auth/permit.ts'
import {
  createRoutes,
  define,
  type Handler,
  inDatabase,
  type Routes,
  read,
  write,
  writeOrDefine,
} from '../auth/routes.ts'
import type { Ask } from '../http/ask.ts'
import { isNdjson, readBytes, readText } from '../http/body.ts'
import type { Call } from '../http/call.ts'
import { isDry, isVerbose, refuseUndo, undoOf } from '../http/flags.ts'
import { notesIn } from '../http/notes.ts'
import { databaseOf, parameter } from '../http/parameter.ts'
import { strayIn, tellStray } from '../http/stray.ts'
import { undoUntil, withUndo } from '../http/undo.ts'
import { queryText } from '../http/url-text.ts'
import * as calls from './calls.ts'
import { createTablePaths } from './table-paths.ts'

export type TableRoutesDeps = {
  readonly tables: Tables
  readonly indexes: TableIndexes
  readonly records: Records
  readonly dependents: Pick<Dependents, 'notesOfDeletion'>
  readonly registry: Pick<Registry, 'all'>
  readonly ask: Ask
  readonly changing: Audited
  /** Megabytes that ClickHouse may cache. */
  readonly cacheMb: number
  readonly bodyLimit: number
}

const defaultDatabase = 'mydb'

const changeOf = (what: 'table' | 'index', database: string, name: string, detail: string): AuditedChange => ({
  what,
  name: `${database}.${name}`,
  detail,
})

/** Tables, their records, lists and counts. */
export function tableRoutes(deps: TableRoutesDeps): Routes {
  const { tables, indexes, records, dependents, registry, ask, changing, cacheMb, bodyLimit } = deps
  const routes = createRoutes()
  const paths = createTablePaths(tables)
  const bodyOf = (context: RouterContext, what: string): Promise<string> => readText(context, bodyLimit, what)
  const tableOf = (context: RouterContext): OpenTable => tables.find(databaseOf(context), parameter(context, 'table'))

  /** A list or a count, but for the record of a table that is called so. */
  const orRecord =
    (call: Call, answerCall: Handler): Handler =>
    async (context) => {
      const asked = paths.recordOf(context)
      if (asked) return answerKey(context, asked.opened, asked.key)
      await answerCall(context)
      const { key } = context.query
      if (key !== undefined) tellStray(context, strayIn({ key }, {}), call)
    }

  async function answerKey(context: RouterContext, opened: OpenTable, key: string): Promise<void> {
    context.type = 'application/json'
    context.body = await ask(context, ({ record }, on) => record(opened, key, on))
  }

  /** Notes of a deletion: the schemas that look things up in the table, and the saved questions that ask it. */
  async function notesOfDeletion(context: RouterContext, database: string, table: string): Promise<string[]> {
    const isSeen = sees(context)
    const schemas = registry.all().flatMap(({ schema }) => (isSeen(`schema:${schema.name}`) ? [schema] : []))
    return [...lookupsOf(schemas, database, table), ...(await dependents.notesOfDeletion(isSeen, database, table))]
  }

  routes.get('/db', read('in list'), calls.listDatabases, (context) => {
    const isShown = sees(context)
    const databases = tables.databases().filter((database) => isShown(`db:${database}`))
    context.body = { dbname: defaultDatabase, databases, num_databases: databases.length }
  })

  routes.post('/db/:database/table', define(inDatabase), calls.createTable, async (context) => {
    const wire = parseJson(await bodyOf(context, 'the table'), 'the table')
    const database = databaseOf(context)
    const { table_name: given } = isObject(wire) ? wire : {}
    const change = changeOf('table', database, String(given), 'created')
    const notes = createNotes()
    if (isDry(context.query)) {
      const { name } = await tables.tryCreate(database, wire, notes)
      context.body = { errcode: 0, dry: 1, msg: `table ${database}.${name} would be created`, ...notesIn(notes) }
      return
    }
    const { name } = await changing(context, change, () => tables.create(database, wire, notes))
    context.body = { errcode: 0, msg: `table ${database}.${name} is created`, ...notesIn(notes) }
  })

  routes.get('/db/:database/:table/tableenv', read(inDatabase), calls.tableSettings, (context) => {
    context.body = settingsOf(tableOf(context).table)
  })

  routes.get('/db/:database/:table/count', read(inDatabase), calls.countRecords, async (context) => {
    const { table } = tableOf(context)
    const [item] = await ask(context, ({ tableStatistics }, on) => tableStatistics.items([table], false, on))
    context.body = { count: item?.num_records ?? 0 }
  })
  routes.get('/db/:database/:table/stat/:flag', read(inDatabase), calls.oneTableStatistics, async (context) => {
    const [{ table }, verbose] = [tableOf(context), isVerbose(parameter(context, 'flag'))]
    const [item] = await ask(context, ({ tableStatistics }, on) => tableStatistics.items([table], verbose, on))
    context.body = item ?? {}
  })

  // After the tables' own calls: a table may be called list.
  const listNames = orRecord(calls.listTableNames, (context) => {
    const database = databaseOf(context)
    const names = tables.list(database).map(({ table }) => table.name)
    context.body = { database, buffer_pool: cacheMb, tables: names.sort(), num_tables: names.length }
  })
  routes.get('/db/:database/list', read(inDatabase), calls.listTableNames, listNames)
  routes.get('/db/:database/list/:flag', read(inDatabase), calls.listTables, async (context) => {
    context.body = await list(context, isVerbose(parameter(context, 'flag')))
  })
  const listVerbosely = orRecord(calls.tableStatistics, async (context) => {
    context.body = await list(context, true)
  })
  routes.get('/db/:database/stat', read(inDatabase), calls.tableStatistics, listVerbosely)
  const countTables = orRecord(calls.countTables, (context) => {
    context.body = { count: tables.list(databaseOf(context)).length }
  })
  routes.get('/db/:database/count', read(inDatabase), calls.countTables, countTables)

  async function list(context: RouterContext, verbose: boolean) {
    const database = databaseOf(context)
    const own = tables
      .list(database)
      .map(({ table }) => table)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const items = await ask(context, async ({ tableStatistics: { items, systemItems } }, on) => [
      ...(await items(own, verbose, on)),
      ...(isEverywhere(context) ? await systemItems(verbose, on) : []),
    ])
    return { database, buffer_pool: cacheMb, tables: items, num_tables: items.length }
  }

  routes.get('/db/:database/:table', read(inDatabase), calls.showTable, async (context) => {
    const opened = paths.tableOf(context)
    const key = queryText(context, 'key')
    if (key === undefined) context.body = settingsOf(opened.table)
    else await answerKey(context, opened, key)
  })

  routes.delete('/db/:database/:table', writeOrDefine(inDatabase), calls.removeTableOrRecord, async (context) => {
    const key = queryText(context, 'key')
    const database = databaseOf(context)
    permit(context, key === undefined ? 'define' : 'write', `db:${database}`)
    const opened = paths.tableOf(context)
    if (key !== undefined) refuseUndo(context.query, 'a record')
    const undo = undoOf(context.query)
    const asking = key === undefined ? await notesOfDeletion(context, database, opened.table.name) : []
    const notes = asking.length > 0 ? { error: asking } : {}
    if (isDry(context.query)) {
      const things = await ask(context, ({ wouldDelete }, on) =>
        key === undefined ? wouldDelete.table(opened, on) : wouldDelete.record(opened, key, on),
      )
      context.body = { would_delete: things, errcode: 0, ...notes }
      return
    }
    if (key === undefined) {
      const { name } = opened.table
      const change = withUndo(changeOf('table', database, name, 'dropped'), undo)
      const deletion = await changing(context, change, () => tables.drop(database, name, undo))
      context.body = { errcode: 0, msg: `table ${name} is dropped`, ...(deletion && undoUntil(deletion)), ...notes }
    } else answerRecord(context, opened.table, (await records.remove(opened, key)).key, 'removed')
  })

  routes.post('/db/:database/:table/doc', write(inDatabase), calls.putRecord, async (context) => {
    const opened = tableOf(context)
    if (isNdjson(context)) {
      context.body = await loadRecords(opened, await readBytes(context, bodyLimit))
      return
    }
    const notes = createNotes()
    const { key } = await records.put(opened, await bodyOf(context, 'the record'), notes)
    answerRecord(context, opened.table, key, 'stored', notesIn(notes))
  })
  routes.put('/db/:database/:table/doc', write(inDatabase), calls.replaceRecord, async (context) => {
    const opened = tableOf(context)
    const notes = createNotes()
    const { key } = await records.replace(opened, await bodyOf(context, 'the record'), notes)
    answerRecord(context, opened.table, key, 'replaced', notesIn(notes))
  })

  routes.post('/db/:database/:table/index', define(inDatabase), calls.addIndex, async (context) => {
    const { table } = tableOf(context)
    const wire = parseJson(await bodyOf(context, 'the index'), 'the index')
    const { index_name: given } = isObject(wire) ? wire : {}
    const change = changeOf('index', table.database, `${table.name}.${String(given)}`, 'built')
    const notes = createNotes()
    const path = await changing(context, change, () => indexes.add(table.database, table.name, wire, notes))
    context.body = { errcode: 0, msg: `index ${path} of table ${table.name} is built`, ...notesIn(notes) }
  })
  routes.delete('/db/:database/:table/index/:index', define(inDatabase), calls.removeIndex, async (context) => {
    const { table } = tableOf(context)
    const path = parameter(context, 'index')
    const change = changeOf('index', table.database, `${table.name}.${path}`, 'dropped')
    await changing(context, change, () => indexes.drop(table.database, table.name, path))
    context.body = { errcode: 0, msg: `index ${path} of table ${table.name} is dropped` }
  })

  return { ...routes, methodsOf: paths.methodsOf }
}

/** The key is JSON text already: a long may exceed the range of a double. */
function answerRecord(
  context: RouterContext,
  table: Table,
  key: string,
  what: string,
  { error }: { readonly error?: readonly string[] } = {},
): void {
  const msg = JSON.stringify(`record ${key.slice(0, 128)} of table ${table.name} is ${what}`)
  const noted = error ? `,"error":${JSON.stringify(error)}` : ''
  context.type = 'application/json'
  context.body = `{"errcode":0,"msg":${msg},"_pk":${keyText(table, key)}${noted}}`
}
