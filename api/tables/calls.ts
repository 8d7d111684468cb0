import { z } from 'zod'
import { indexOnWire } from '../../sql/table/decode-index.ts'
import { tableOnWire } from '../../sql/table/decode-table.ts'
import {
  anyObject,
  type Call,
  count,
  dry,
  goingThings,
  json,
  long,
  ndjson,
  notes,
  oneOrZero,
  parameter,
  success,
  undo,
  undoUntil,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { linesTaken } from '../streams/calls.ts'

const key = z.union([long, z.string()])
const named = z.object({ errcode: success, msg: z.string() })
const noted = named.extend({ error: notes })
const dropped = noted.extend({ undo_until: undoUntil })
const recordNamed = z.object({ errcode: success, msg: z.string(), _pk: key, error: notes })

const recordOnWire = z.looseObject({ _pk: key.optional(), doc: z.unknown().optional() }).meta({
  id: 'Record',
  description: '{_pk, doc}; of a wide table _pk may stand in doc, and is made where it is absent',
})

/** Interface 4.14: a table and the parts it is stored in. */
export const tableItem = z
  .object({
    name: z.string(),
    issys: oneOrZero,
    num_records: count,
    num_index: count,
    files: z.array(z.string()).optional(),
    total_size: count,
    num_files: count,
  })
  .meta({ id: 'TableItem' })

const listOf = (item: z.ZodType) =>
  z.object({ cursor: nextCursor, database: z.string(), buffer_pool: count, tables: z.array(item), num_tables: count })
const items = listOf(tableItem)

const settings = z
  .object({
    database: z.string(),
    table_name: z.string(),
    table_type: z.int(),
    key_type: z.int(),
    key_sz: z.int(),
    allow_duplicate: oneOrZero,
    allow_rev_idx: oneOrZero,
    version_type: oneOrZero,
    indexes: z.array(
      z.object({ index_name: z.string(), key_type: z.int(), key_size: z.int(), allow_duplicate: oneOrZero }),
    ),
    rev_idx: z.array(z.string()),
  })
  .meta({ id: 'TableSettings' })

const group = 'tables'
const ofKey = (says: string) => ({ key: parameter(says, z.string().optional()) })

export const listDatabases: Call = {
  id: 'listDatabases',
  group,
  summary: 'The databases, and the one that is meant where none is named',
  query: pages(),
  list: { member: 'databases', order: 'up' },
  answers: [
    json(z.object({ dbname: z.string(), databases: z.array(z.string()), num_databases: count, cursor: nextCursor })),
  ],
}
export const createTable: Call = {
  id: 'createTable',
  group,
  summary: 'Creates a table, and its database with the first',
  query: dry,
  body: { contents: [json(tableOnWire)] },
  answers: [json(noted.extend({ dry: z.literal(1).optional() }))],
  refuses: ['conflict'],
}
export const tableSettings: Call = {
  id: 'tableSettings',
  group,
  summary: 'How a table was made',
  answers: [json(settings)],
}
export const listTableNames: Call = {
  id: 'listTableNames',
  group,
  summary: 'The names of the tables of a database',
  query: { ...pages(), ...ofKey('of a record, where a table is called so') },
  list: { member: 'tables', order: 'up' },
  answers: [json(listOf(z.string()))],
}
export const listTables: Call = {
  id: 'listTables',
  group,
  summary: 'The tables of a database, those of the service included',
  query: pages(),
  list: { member: 'tables', key: ['name'] },
  answers: [json(items)],
}
export const tableStatistics: Call = {
  id: 'tableStatistics',
  group,
  summary: 'The same, verbose',
  query: { ...pages(), ...ofKey('of a record, where a table is called so') },
  list: { member: 'tables', key: ['name'] },
  answers: [json(items)],
}
export const countTables: Call = {
  id: 'countTables',
  group,
  summary: 'How many tables a database has',
  query: ofKey('of a record, where a table is called so'),
  answers: [json(z.object({ count }))],
}
export const showTable: Call = {
  id: 'showTable',
  group,
  summary: 'How a table was made; with a key that record of it',
  query: ofKey('of a record'),
  answers: [
    json(z.union([settings, anyObject.meta({ description: 'a document with _pk and _v, or {_pk, doc, _v}' })])),
  ],
}
export const countRecords: Call = {
  id: 'countRecords',
  group,
  summary: 'How many records a table holds',
  answers: [json(z.object({ count }))],
}
export const oneTableStatistics: Call = {
  id: 'oneTableStatistics',
  group,
  summary: 'How much stands in a table',
  answers: [json(tableItem)],
}
export const removeTableOrRecord: Call = {
  id: 'removeTableOrRecord',
  group,
  summary: 'Drops a table; with a key removes that record of it',
  query: { ...ofKey('of the record; without it the table is dropped'), ...dry, ...undo },
  answers: [
    json(z.union([dropped, recordNamed, z.object({ would_delete: goingThings, errcode: success, error: notes })])),
  ],
  refuses: ['conflict', 'method'],
}
export const putRecord: Call = {
  id: 'putRecord',
  group,
  summary: 'Inserts or replaces a record; with the content type of NDJSON one a line',
  body: { contents: [json(recordOnWire), ndjson(recordOnWire, 'a record or a document a line')] },
  answers: [json(z.union([recordNamed, linesTaken]))],
  refuses: ['conflict'],
}
export const replaceRecord: Call = {
  id: 'replaceRecord',
  group,
  summary: 'Replaces a record that is there',
  body: { contents: [json(recordOnWire)] },
  answers: [json(recordNamed)],
  refuses: ['conflict'],
}
export const addIndex: Call = {
  id: 'addIndex',
  group,
  summary: 'Builds an index over a path of the documents',
  body: { contents: [json(indexOnWire)] },
  answers: [json(noted)],
  refuses: ['conflict'],
}
export const removeIndex: Call = {
  id: 'removeIndex',
  group,
  summary: 'Drops an index',
  answers: [json(named)],
  refuses: ['conflict'],
}
