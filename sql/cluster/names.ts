/** The part of a table that one node keeps. The table's own name reads all of them. Three underscores: no name of a client's has them. */
export const localOf = (table: string): string =>
  table.endsWith('`') ? `${table.slice(0, -1)}___local\`` : `${table}___local`

/** Tables that hold nothing: each node has its own, and what comes to a node passes there. */
export const isPassing = (table: string): boolean => /__(in|topic|delivered)`?$/.test(table)

const parts = /^`?(\w+)`?\.`?([\w]+)`?$/

export function partsOf(table: string): { database: string; name: string } {
  const [, database, name] = parts.exec(table) ?? []
  if (database === undefined || name === undefined)
    throw new Error(`${table.slice(0, 80)} names no table of a database`)
  return { database, name }
}
