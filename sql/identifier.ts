const allowed = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/

/**
 * A name as ClickHouse source text, in backticks. The only way by which a name gets into a statement: a text that
 * does not look like a name is refused, never escaped. Dots stand in column names only (`prod.name`).
 */
export function identifier(name: string): string {
  if (name.length > 600 || !allowed.test(name)) throw new Error(`${JSON.stringify(name.slice(0, 80))} is no identifier`)
  return `\`${name}\``
}

/** `database`.`table` */
export const qualified = (database: string, table: string): string => `${identifier(database)}.${identifier(table)}`
