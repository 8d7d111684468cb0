export type TableKey = { readonly database: string; readonly table: string }

export const tablePath = (database: string, table: string): string =>
  `/console/tables/${encodeURIComponent(database)}/${encodeURIComponent(table)}`
