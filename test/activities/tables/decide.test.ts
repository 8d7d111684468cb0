/** Batches of operations against a map that does them one by one; the rows are applied as ClickHouse would merge them. */
import test from 'ava'
import fc from 'fast-check'
import { decide, type Operation, type StoredRecord } from '../../../activities/tables/decide.ts'
import { entriesOf } from '../../../sql/table/entries.ts'
import type { RecordRow } from '../../../sql/table/records.ts'
import type { Table } from '../../../sql/table/table.ts'
import '../../support/random/seed.ts'

const base: Table = {
  database: 'd',
  name: 't',
  storage: 'd__t__1',
  kind: 'WIDE',
  keyKind: 'NORMAL_KEY',
  keyBytes: 24,
  duplicates: false,
  versioned: true,
  words: [],
  indexes: [
    { path: 'a', number: 1, ready: true, keyKind: 'NORMAL_KEY', keyBytes: 24, duplicates: true },
    { path: 'b.c', number: 2, ready: false, keyKind: 'NORMAL_KEY', keyBytes: 24, duplicates: true },
  ],
  nextIndex: 3,
}

const documents = fc.constantFrom('{"a":1}', '{"a":"x"}', '{"a":"y","b":{"c":true}}', '{"b":{"c":1}}', '{}')
const keys = fc.constantFrom('k', 'l', 'm')
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'insert', 'create', 'replace'), key: keys, document: documents }),
  fc.record({ kind: fc.constant('remove' as const), key: keys }),
)

type Kept = { document: string; v: number }

function createOracle({ duplicates }: Table) {
  const records = new Map<string, Kept[]>()
  return {
    records,
    run(operation: Operation): boolean {
      const present = records.get(operation.key) ?? []
      const exists = present.length > 0
      if (operation.kind === 'remove') {
        records.delete(operation.key)
        return exists
      }
      const refused =
        (operation.kind === 'insert' && exists && !duplicates) ||
        (operation.kind === 'create' && exists) ||
        (operation.kind === 'replace' && !exists)
      if (refused) return false
      const record = { document: operation.document, v: (present[0]?.v ?? 0) + 1 }
      records.set(operation.key, duplicates ? [record, ...present] : [record])
      return true
    },
  }
}

const place = (row: RecordRow) => [row.index, row.text, row.number, row.key, row.seq].join('|')

for (const duplicates of [false, true]) {
  test(`batches do what single operations do${duplicates ? ', with duplicates' : ''}`, (t) => {
    const table = { ...base, duplicates }
    fc.assert(
      fc.property(fc.array(fc.array(operation, { maxLength: 6 }), { maxLength: 6 }), (batches) => {
        const oracle = createOracle(table)
        const rows = new Map<string, RecordRow>()
        let version = 0
        for (const batch of batches) {
          const stored = storedIn(rows)
          const expected = batch.map((each) => oracle.run(each))
          const decided = decide(table, batch, stored, () => ++version)
          t.deepEqual(
            decided.outcomes.map(({ done }) => done),
            expected,
          )
          for (const row of decided.rows) {
            t.true(row.version > (rows.get(place(row))?.version ?? 0), 'a row is newer than the one it replaces')
            rows.set(place(row), row)
          }
        }
        t.deepEqual(contentOf(storedIn(rows)), contentOf(oracle.records))
        t.deepEqual(indexRows(rows), expectedIndexRows(table, rows))
      }),
      { numRuns: 500 },
    )
    t.pass()
  })
}

/** Records by key, newest first, as the next batch would read them. */
function storedIn(rows: ReadonlyMap<string, RecordRow>): Map<string, StoredRecord[]> {
  const found = new Map<string, StoredRecord[]>()
  const live = [...rows.values()].filter(({ index, deleted }) => index === 0 && !deleted)
  for (const { key, seq, v, document } of live.sort((a, b) => a.seq - b.seq)) {
    found.set(key, [...(found.get(key) ?? []), { seq, v, document }])
  }
  return found
}

const contentOf = (records: ReadonlyMap<string, readonly Kept[]>) =>
  Object.fromEntries([...records].map(([key, kept]) => [key, kept.map(({ document, v }) => ({ document, v }))]))

const indexRows = (rows: ReadonlyMap<string, RecordRow>): string[] =>
  [...rows.values()]
    .filter(({ index, deleted }) => index !== 0 && !deleted)
    .map((row) => `${place(row)}|${row.document}`)
    .sort()

const expectedIndexRows = (table: Table, rows: ReadonlyMap<string, RecordRow>): string[] =>
  [...rows.values()]
    .filter(({ index, deleted }) => index === 0 && !deleted)
    .flatMap((row) =>
      entriesOf(row.document, table.indexes).map((entry) => `${place({ ...row, ...entry })}|${row.document}`),
    )
    .sort()
