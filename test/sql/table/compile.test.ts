/** Statements on tables and the ClickHouse SQL that they become, against files that were read by eye. */
import test from 'ava'
import { createParams } from '../../../sql/query/compile/condition.ts'
import { parse, type Statement } from '../../../sql/query/index.ts'
import { bind, type SqlStatement } from '../../../sql/statement.ts'
import { compileIndexBuild, compileRemoval, compileReplacement } from '../../../sql/table/change.ts'
import { addWordIndex, clearIndexes, createTable, dropDatabase, dropTable } from '../../../sql/table/ddl.ts'
import { scopesOf } from '../../../sql/table/narrow.ts'
import { compileByKeys, compileEstimate, compileRecordCount, compileRecords } from '../../../sql/table/select.ts'
import type { Table, TableIndex } from '../../../sql/table/table.ts'
import { matchesGolden } from '../../support/golden.ts'

const index = (path: string, number: number, ready = true): TableIndex => ({
  path,
  number,
  ready,
  keyKind: 'NORMAL_KEY',
  keyBytes: 24,
  duplicates: true,
})

const airports: Table = {
  database: 'geo',
  name: 'airports',
  storage: 'geo__airports__1700000000000000',
  kind: 'WIDE',
  keyKind: 'NORMAL_KEY',
  keyBytes: 24,
  duplicates: false,
  versioned: true,
  words: ['name'],
  indexes: [index('state', 1), index('at.lat', 3), index('city', 4, false)],
  nextIndex: 5,
}
const hits: Table = {
  ...airports,
  name: 'hits',
  storage: 'geo__hits__1700000000000001',
  kind: 'PRIMITIVE_LONG',
  keyKind: 'NORMAL_KEY_LONG',
  duplicates: true,
  versioned: false,
  words: [],
  indexes: [],
  nextIndex: 1,
}

const drafts: Table = { ...hits, name: 'drafts', kind: 'NORMAL', versioned: true }

const request = { limit: 11, pageBytes: 4_194_304, blockRows: 1_024 }

function compile(table: Table, statement: Statement): SqlStatement {
  const where = 'where' in statement ? statement.where : undefined
  const params = createParams()
  const [scope] = scopesOf(table, where, params)
  if (!scope) throw new Error('no scope')
  const scoped = { scope, params }
  if (statement.kind === 'count') return compileRecordCount(table, scoped, where)
  if (statement.kind === 'delete') return compileRemoval(table, scoped, where, 1_700_000_000_000_002)
  if (statement.kind === 'update') {
    return compileReplacement(table, scoped, where, statement.document.text, 1_700_000_000_000_002)
  }
  return compileRecords(table, scoped, { ...request, ...(where && { where }) })
}

const statements: readonly (readonly [table: Table, text: string])[] = [
  [airports, 'select * from airports'],
  [airports, 'select * from airports where _pk >= "k:D" and _pk like "k:*"'],
  [airports, 'select * from airports where state = "TX" and runways > 2'],
  [airports, 'select * from airports where state = "TX" or state = "CA"'],
  [airports, 'select * from airports where at.lat >= 30 and at.lat < 40.5'],
  [airports, 'select * from airports where city = "Reno"'],
  [airports, 'select * from airports where name = "dallas, FORT"'],
  [airports, 'select count(*) from airports where state = "TX" and name = "dallas"'],
  [airports, 'select * from airports where _pk = "k:DFW" and state = "TX"'],
  [airports, 'delete from airports where state = "TX"'],
  [airports, 'update airports set val = {"state":"CA","at":{"lat":1.5}} where _pk = "k:DFW"'],
  [hits, 'select * from hits where doc > 5 and _pk < 100'],
  [hits, 'delete from hits'],
  [drafts, 'update drafts set val = "new" where doc = "old"'],
]

const block = (title: string, text: string): string => `-- ${title}\n${text.replaceAll(' FROM ', '\nFROM ')}\n`

test('statements on tables become this SQL', (t) => {
  const text = statements.map(([table, sql]) => block(sql, bind(compile(table, parse(sql))))).join('\n')
  matchesGolden(t, text, new URL('statements.sql', import.meta.url))
})

test('what a table is made of, and what moves its records', (t) => {
  const params = createParams()
  const [scope] = scopesOf(airports, undefined, params)
  if (!scope) throw new Error('no scope')
  const parts: readonly (readonly [title: string, text: string])[] = [
    ...createTable(airports).map((sql) => ['make', sql] as const),
    ...createTable(hits).map((sql) => ['make', sql] as const),
    ...dropTable(airports).map((sql) => ['drop', sql] as const),
    ['drop the database', dropDatabase('geo')],
    ...addWordIndex(airports).map((sql) => ['revidx', sql] as const),
    ['build an index', bind(compileIndexBuild(airports, index('city', 4)))],
    ['clear dropped indexes', clearIndexes(airports)],
    ['one key', bind(compileByKeys(airports, ["it's"], true))],
    ['some keys', bind(compileByKeys(hits, ['1', '-9223372036854775808'], false))],
    ['estimate', bind(compileEstimate(airports, { scope, params }))],
  ]
  const text = parts.map(([title, sql]) => block(title, sql)).join('\n')
  matchesGolden(t, text, new URL('objects.sql', import.meta.url))
})
