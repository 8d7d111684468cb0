import { literal } from '../../sql/literal.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { versionAfter } from './version-after.ts'

export const deletionKinds = ['schema', 'stream', 'graph', 'table', 'bucket'] as const
export type DeletionKind = (typeof deletionKinds)[number]

/**
 * The states of a deletion. Work that a crash cut off in one is done again:
 *
 * - `keeping`: the deletion stands. Some of the thing's data may be set aside; the rest is, next.
 * - `kept`: all of it is set aside, and the name is free.
 * - `restoring`: it comes back, and the name is its own again. Some of it may be in its place; the rest follows.
 * - `removing`: some of it may have gone for good; the rest goes.
 * - `gone`: nothing is set aside any more.
 */
export type DeletionState = 'keeping' | 'kept' | 'restoring' | 'removing' | 'gone'

/** A deletion that can be undone, and how far it or its undoing is. */
export type Deletion = {
  readonly id: string
  readonly kind: DeletionKind
  readonly name: string
  /** JSON of the thing's kind, which brings it back together with its data. */
  readonly body: string
  readonly state: DeletionState
  /** Microseconds since 1970. */
  readonly deleted: number
  readonly until: number
}

type Row = Omit<Deletion, 'deleted' | 'until'> & { readonly deleted: string; readonly until: string }

const columns = 'id, kind, name, body, state, toString(deleted) AS deleted, toString(until) AS until'

/** The deletions that can be undone, in ClickHouse's table `weir.kept`. The latest version of a row counts. */
export function createDeletionCatalogue(
  clickhouse: ClickHouse,
  nextVersion: () => number,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  async function read(where: string, params: SqlStatement['params'] = {}): Promise<Deletion[]> {
    // Inside a subquery: ClickHouse would take the names of the columns for those of the texts.
    const text = `SELECT ${columns} FROM (SELECT * FROM weir.kept FINAL WHERE ${where} ORDER BY version)`
    const rows = await clickhouse.rows<Row>({ text, params })
    return rows.map((row) => ({ ...row, deleted: Number(row.deleted), until: Number(row.until) }))
  }

  return {
    /** The one that was written last comes last. */
    all: (): Promise<Deletion[]> => read("state != 'gone'"),
    since: (version: number): Promise<Deletion[]> => read('version > {version:UInt64}', { version }),
    async one(id: string): Promise<Deletion | undefined> {
      return (await read('id = {id:String}', { id }))[0]
    },
    /** Forgets things that are gone, of those whose time was over by then: each process has followed by now. */
    async forgetGone(until: number): Promise<void> {
      const over = "SELECT id FROM weir.kept FINAL WHERE state = 'gone' AND until < {until:Int64} LIMIT 1000"
      const rows = await clickhouse.rows<{ id: string }>({ text: over, params: { until } })
      if (rows.length === 0) return
      const ids = rows.map(({ id }) => literal(id, 'String'))
      await clickhouse.run(`DELETE FROM weir.kept WHERE id IN (${ids.join(', ')})`)
    },
    put: ({ id, kind, name, body, state, deleted, until }: Deletion): Promise<void> =>
      write({
        text: [
          'INSERT INTO weir.kept SELECT {id:String}, {kind:String}, {name:String}, {body:String}, {state:String},',
          `{deleted:Int64}, {until:Int64}, ${versionAfter('kept', ['id'])}`,
        ].join(' '),
        params: { id, kind, name, body, state, deleted, until, version: nextVersion() },
      }),
  }
}

export type DeletionCatalogue = ReturnType<typeof createDeletionCatalogue>
