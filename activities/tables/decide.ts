/**
 * Decides operations on records that are committed together: each on the state that the ones before it left. The rows that
 * are written are the difference between the first state and the last.
 */
import { type Entry, entriesOf } from '../../sql/table/entries.ts'
import type { RecordRow } from '../../sql/table/records.ts'
import type { Table } from '../../sql/table/table.ts'

export type Operation =
  /** Inserts the record, or replaces the present one. */
  | { readonly kind: 'put'; readonly key: string; readonly document: string }
  /** Inserts where the key is absent, or the table keeps duplicates. */
  | { readonly kind: 'insert'; readonly key: string; readonly document: string }
  /** Inserts under a key that the table does not have. */
  | { readonly kind: 'create'; readonly key: string; readonly document: string }
  /** Replaces the present record. */
  | { readonly kind: 'replace'; readonly key: string; readonly document: string }
  /** Ends every record of the key. */
  | { readonly kind: 'remove'; readonly key: string }

/** Whether the operation took effect; `insert` and `create` do not where the key exists, the others where it does not. */
export type Outcome = { readonly done: boolean; readonly key: string }

/** A record as it is stored. The document is there where the table has indexes. */
export type StoredRecord = { readonly seq: number; readonly v: number; readonly document: string }

type Current = StoredRecord & { readonly version?: number }
type State = { readonly before: readonly StoredRecord[]; now: Current[] }

/** Whether an operation has to know the stored record. */
export const needsStored = (table: Table, operation: Operation): boolean =>
  operation.kind !== 'put' || (table.duplicates ? table.versioned : table.versioned || table.indexes.length > 0)

/** `stored` is newest first; it holds the keys of all operations that need it. */
export function decide(
  table: Table,
  operations: readonly Operation[],
  stored: ReadonlyMap<string, readonly StoredRecord[]>,
  nextVersion: () => number,
): { outcomes: Outcome[]; rows: RecordRow[] } {
  const states = new Map<string, State>()
  const stateOf = (key: string): State => {
    const known = states.get(key)
    if (known) return known
    const before = stored.get(key) ?? []
    const state = { before, now: [...before] }
    states.set(key, state)
    return state
  }
  const outcomes = operations.map((operation): Outcome => {
    const state = stateOf(operation.key)
    const done = isPossible(table, operation, state.now.length > 0)
    if (done) apply(table, operation, state, nextVersion)
    return { done, key: operation.key }
  })
  return { outcomes, rows: [...states].flatMap(([key, state]) => rowsOf(table, key, state, nextVersion)) }
}

function isPossible({ duplicates }: Table, { kind }: Operation, exists: boolean): boolean {
  if (kind === 'insert') return duplicates || !exists
  if (kind === 'create') return !exists
  return kind === 'put' || exists
}

function apply(table: Table, operation: Operation, state: State, nextVersion: () => number): void {
  if (operation.kind === 'remove') {
    state.now = []
    return
  }
  const version = nextVersion()
  const v = table.versioned ? state.now.reduce((greatest, { v }) => Math.max(greatest, v), 0) + 1 : 1
  const seq = table.duplicates ? Number.MAX_SAFE_INTEGER - version : 0
  const record = { seq, v, document: operation.document, version }
  state.now = table.duplicates ? [record, ...state.now] : [record]
}

function rowsOf(table: Table, key: string, { before, now }: State, nextVersion: () => number): RecordRow[] {
  const rows: RecordRow[] = []
  const row = (entry: Entry, record: StoredRecord, version: number, deleted: boolean): void => {
    rows.push({ ...entry, ...record, key, version, deleted, document: deleted ? '' : record.document })
  }
  const kept = new Map(now.map((record) => [record.seq, record]))
  const written = now.flatMap(({ version, ...record }) => (version === undefined ? [] : [{ version, record }]))
  for (const { version, record } of written) {
    for (const entry of [main, ...entriesOf(record.document, table.indexes)]) row(entry, record, version, false)
  }
  for (const record of before) {
    const after = kept.get(record.seq)
    if (after && after.version === undefined) continue
    const version = after?.version ?? nextVersion()
    const held = after ? entriesOf(after.document, table.indexes) : []
    if (!after) row(main, record, version, true)
    for (const entry of entriesOf(record.document, table.indexes)) {
      if (!held.some((other) => isSame(other, entry))) row(entry, record, version, true)
    }
  }
  return rows
}

const main: Entry = { index: 0, text: '', number: 0 }

const isSame = (a: Entry, b: Entry): boolean => a.index === b.index && a.text === b.text && a.number === b.number
