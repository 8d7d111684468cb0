/** Paths that are a table's and another call's, such as /db/D/count. */

const pathOfTable = /^\/db\/([^/]+)\/([^/]+)\/?$/i
export const methodsOfTable = ['HEAD', 'GET', 'DELETE']
const methodsOfCalls = new Map([
  ['query', ['POST']],
  ['table', ['POST']],
  ['list', ['HEAD', 'GET']],
  ['stat', ['HEAD', 'GET']],
  ['count', ['HEAD', 'GET']],
])

/** Undefined where no other call has the path of that table. Paths are the same in any case of letters, tables are not. */
export function methodsOfCall(database: string, name: string): readonly string[] | undefined {
  const isOfNotifications = /^notification$/i.test(database) && /^(register|state)$/i.test(name)
  return isOfNotifications ? ['POST'] : methodsOfCalls.get(name.toLowerCase())
}

/** Of a path that could be a table's: texts are empty where it could not. */
export const placeOfTable = (path: string): readonly [database: string, table: string] => {
  const [, database = '', table = ''] = pathOfTable.exec(path) ?? []
  return [database, table]
}
