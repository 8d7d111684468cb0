import { encodeCode, keyTypes, tableTypes } from '../../sql/schema/codes.ts'
import type { Table } from '../../sql/table/table.ts'

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** A table's settings as a client would write them into `POST /db/D/table`. */
export const settingsOf = (table: Table) => ({
  database: table.database,
  table_name: table.name,
  table_type: encodeCode(tableTypes, table.kind),
  key_type: encodeCode(keyTypes, table.keyKind),
  key_sz: table.keyKind === 'NORMAL_KEY_LONG' ? 8 : table.keyBytes,
  allow_duplicate: flag(table.duplicates),
  allow_rev_idx: flag(table.words === 'all'),
  version_type: flag(table.versioned),
  indexes: table.indexes.map((index) => ({
    index_name: index.path,
    key_type: encodeCode(keyTypes, index.keyKind),
    key_size: index.keyBytes,
    allow_duplicate: flag(index.duplicates),
  })),
  rev_idx: table.words === 'all' ? [] : table.words,
})
