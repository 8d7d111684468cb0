import type { RouterContext } from '@koa/router'
import type { OpenTable } from '../../activities/tables/open-tables.ts'
import type { Tables } from '../../activities/tables/tables.ts'
import { databaseOf, parameter } from '../http/parameter.ts'
import { queryText } from '../http/url-text.ts'
import { wrongMethod } from '../http/wrong-method.ts'

/** Paths of tables that are other calls' too, such as /db/D/count: which of them is meant. */

export function createTablePaths(tables: Pick<Tables, 'list' | 'find'>) {
  const isThere = (database: string, name: string): boolean =>
    tables.list(database).some(({ table }) => table.name === name)

  return {
    /** The methods that a path which is another call's has here and now; undefined for all others. */
    methodsOf(path: string): readonly string[] | undefined {
      const [database, name] = placeOfTable(path)
      const methods = methodsOfCall(database, name)
      return methods && isThere(database, name) ? [...new Set([...methods, ...methodsOfTable])] : methods
    },

    /** The table of a path. Where it is not there, and the path is another call's, the method is wrong. */
    tableOf(context: RouterContext): OpenTable {
      const [database, name] = [databaseOf(context), parameter(context, 'table')]
      const allowed = methodsOfCall(database, name)
      if (allowed !== undefined && !isThere(database, name)) throw wrongMethod(context, allowed)
      return tables.find(database, name)
    },

    /** The record that a path names which is another call's too: a record of a table that is called like that call. */
    recordOf(context: RouterContext): { opened: OpenTable; key: string } | undefined {
      const [database, name] = [databaseOf(context), placeOfTable(context.path)[1]]
      const key = isThere(database, name) ? queryText(context, 'key') : undefined
      return key === undefined ? undefined : { opened: tables.find(database, name), key }
    },
  }
}

/** Paths that are a table's and another call's, such as /db/D/count. */

const pathOfTable = /^\/db\/([^/]+)\/([^/]+)\/?$/i
const methodsOfTable = ['HEAD', 'GET', 'DELETE']
const methodsOfCalls = new Map([
  ['query', ['POST']],
  ['table', ['POST']],
  ['list', ['HEAD', 'GET']],
  ['stat', ['HEAD', 'GET']],
  ['count', ['HEAD', 'GET']],
])

/** Undefined where no other call has the path of that table. Paths are the same in any case of letters, tables are not. */
function methodsOfCall(database: string, name: string): readonly string[] | undefined {
  const isOfNotifications = /^notification$/i.test(database) && /^(register|state)$/i.test(name)
  return isOfNotifications ? ['POST'] : methodsOfCalls.get(name.toLowerCase())
}

/** The names in a path that could be a table's; empty where it could not. */
const placeOfTable = (path: string): readonly [database: string, table: string] => {
  const [, database = '', table = ''] = pathOfTable.exec(path) ?? []
  return [database, table]
}
