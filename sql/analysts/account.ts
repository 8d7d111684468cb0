import { identifier } from '../identifier.ts'
import { literal } from '../literal.ts'
import { graphDatabase } from '../schema/names.ts'
import { recordsDatabase } from '../table/table.ts'
import { limits } from './settings.ts'
import { systemTables } from './tables.ts'

/** The account by which analysts' SQL runs on a ClickHouse server: it reads what analysts see, and nothing else. */
export const analystUser = 'weir_analyst'
const role = 'weir_analysts'
const profile = 'weir_analyst'

/** A statement lifts no limit and changes nothing that is fixed, as embedded (infra/clickhouse/access.xml). */
const settings = [
  ...Object.entries(limits).map(([name, most]) => `${name} = ${most} MIN 1 MAX ${most}`),
  'readonly = 2 CONST',
  'allow_ddl = 0 CONST',
  'allow_introspection_functions = 0 CONST',
].join(', ')

/** Each statement may be repeated, also by several processes at once. */
export const makeAnalyst = (password: string): readonly string[] => [
  `CREATE SETTINGS PROFILE IF NOT EXISTS ${profile}`,
  `ALTER SETTINGS PROFILE ${profile} SETTINGS ${settings}`,
  `CREATE ROLE IF NOT EXISTS ${role}`,
  `GRANT ${systemTables.map((table) => `SELECT ON system.${table}`).join(', ')} TO ${role}`,
  `CREATE USER IF NOT EXISTS ${analystUser} IDENTIFIED WITH sha256_password BY ${literal(password, 'String')}`,
  `ALTER USER ${analystUser} IDENTIFIED WITH sha256_password BY ${literal(password, 'String')} SETTINGS PROFILE ${literal(profile, 'String')}`,
  `GRANT ${role} TO ${analystUser}`,
  // The views of tables read the records with the rights of their reader.
  ...grantDatabases([graphDatabase, recordsDatabase]),
]

const grantsAtOnce = 100

/** Lets analysts read databases, which need not be there yet. */
export function grantDatabases(databases: readonly string[]): string[] {
  const statements: string[] = []
  for (let at = 0; at < databases.length; at += grantsAtOnce) {
    const some = databases.slice(at, at + grantsAtOnce).map((name) => `SELECT, SHOW ON ${identifier(name)}.*`)
    statements.push(`GRANT ${some.join(', ')} TO ${role}`)
  }
  return statements
}

export const revokeDatabase = (database: string): string =>
  `REVOKE SELECT, SHOW ON ${identifier(database)}.* FROM ${role}`

/** An administrator runs them where Weir's own user may not make the account. */
export const rightsFor = (user: string): string => {
  const named = literal(user, 'String')
  return `GRANT ACCESS MANAGEMENT ON *.* TO ${named}; GRANT SELECT, SHOW ON *.* TO ${named} WITH GRANT OPTION`
}
