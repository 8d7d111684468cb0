import { createGroupCommit } from '../../base/group-commit.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { compileLastVersion } from '../../sql/table/change.ts'
import { type RecordRow, recordLine } from '../../sql/table/records.ts'
import { compileByKeys, latestRecords, type VersionRow } from '../../sql/table/select.ts'
import { storageOf, type Table } from '../../sql/table/table.ts'
import { decide, needsStored, type Operation, type Outcome, type StoredRecord } from './decide.ts'

export type RecordWriterDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  /** The table as it is now: indexes come and go. */
  readonly table: () => Table
  /** Other processes write to the table too, by clocks of their own: a write counts more than all that it finds. */
  readonly isShared?: boolean
  /** Called before records of these keys, or of any, are written; the returned function once they are, or are not. */
  readonly writing?: (keys?: readonly string[]) => () => void
}

const maxOperations = 4_096
const maxBytes = 16 * 1024 * 1024
/** Keys in one question, whose text ClickHouse bounds at 256 KB. */
const keysAtOnce = 400
/** How far a key that the service makes goes beyond one that is taken, in microseconds or turns of this process. */
const maxSteps = 1_024

/**
 * The one writer of a table. Operations that come together are decided together and are one insert: answered once it is on
 * disk, and seen by every query from then on. Versions grow with each write, across restarts too, so that the last one wins.
 */
export function createRecordWriter({
  clickhouse,
  clock,
  table,
  isShared = false,
  writing = () => () => {},
}: RecordWriterDeps) {
  const { write, alone, passed, close } = createGroupCommit<Operation, Outcome>({
    commit,
    sizeOf: (operation) => (operation.kind === 'remove' ? 0 : operation.document.length) + operation.key.length,
    maxOperations,
    maxBytes,
  })
  let last: number | undefined

  async function versions(anew = false): Promise<() => number> {
    if (last === undefined || anew) {
      const [row] = await clickhouse.rows<{ version: string }>(compileLastVersion(table()))
      last = Math.max(last ?? 0, Number(row?.version ?? 0))
    }
    return () => {
      last = Math.max(clock.next(), (last ?? 0) + 1)
      return last
    }
  }

  async function commit(operations: readonly Operation[]): Promise<readonly Outcome[]> {
    const now = table()
    const nextVersion = await versions()
    const asked = new Set(
      operations.filter((operation) => isShared || needsStored(now, operation)).map(({ key }) => key),
    )
    const { outcomes, rows } = decide(now, operations, await storedRecords(now, [...asked]), nextVersion)
    if (rows.length > 0) await put(now, rows)
    return outcomes
  }

  async function put(now: Table, rows: readonly RecordRow[]): Promise<void> {
    const written = writing([...new Set(rows.map(({ key }) => key))])
    try {
      await clickhouse.insert({
        table: storageOf(now),
        rows: Buffer.from(rows.map((row) => recordLine(now, row)).join('')),
      })
    } finally {
      written()
    }
  }

  async function storedRecords(now: Table, keys: readonly string[]): Promise<Map<string, StoredRecord[]>> {
    const found = new Map<string, StoredRecord[]>()
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const some = keys.slice(from, from + keysAtOnce)
      const statement = compileByKeys(now, some, now.indexes.length > 0)
      const rows = await clickhouse.rows<VersionRow>(statement)
      last = rows.reduce((greatest, { version }) => Math.max(greatest, Number(version)), last ?? 0)
      for (const [key, records] of latestRecords(rows)) {
        found.set(
          key,
          records.map(({ s, n, d }) => ({ seq: Number(s), v: Number(n), document: d })),
        )
      }
    }
    return found
  }

  return {
    write,

    /** Writes a record under a new key: the time in microseconds. */
    async create(document: string): Promise<Outcome> {
      for (let steps = 1; ; steps = Math.min(2 * steps, maxSteps)) {
        let key = clock.next()
        // The next microseconds, not the next tick of the wall clock: records may be keyed by such ticks.
        for (let step = 1; step < steps; step++) key = clock.next()
        const outcome = await write({ kind: 'create', key: String(key), document })
        if (outcome.done) return outcome
      }
    },

    /** Runs work that changes the table by statements of its own; `version` makes it count more than all before it. */
    alone: <Result>(work: (table: Table, version: number) => Promise<Result>): Promise<Result> =>
      alone(async () => {
        const version = (await versions(isShared))()
        const written = writing()
        try {
          return await work(table(), version)
        } finally {
          written()
        }
      }),

    /** Resolves once the writes that began before are over: those that come later go by the table as it is now. */
    passed,
    close,
  }
}

export type RecordWriter = ReturnType<typeof createRecordWriter>
