/**
 * Why ClickHouse would not take a table of that name, measured with 26.7: a dropped table's file holds the names of
 * database and table, and has 255 bytes. A dot takes three there.
 */
export const checkTableName = (database: string, table: string): string | undefined => {
  const length = table.replaceAll('.', '%2E').length
  const max = 213 - database.length
  return length > max
    ? `makes a table name of ${length} bytes, over the ${max} there are; shorten the names`
    : undefined
}
