import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Logger } from '../../infra/logger.ts'
import { literal } from '../../sql/literal.ts'

export type Subject =
  | 'schema'
  | 'table'
  | 'index'
  | 'graph'
  | 'bucket'
  | 'model'
  | 'notification'
  | 'key'
  | 'erasure'
  | 'backup'
  | 'saved question'
  | 'hook'
  | 'import'
  | 'source'

export type Change = {
  /** A key's id, `ADMIN_KEY`, or an address. */
  readonly by: string
  readonly what: Subject
  readonly name: string
  readonly detail: string
}

type Row = {
  readonly at: string
  readonly author: string
  readonly what: string
  readonly name: string
  readonly detail: string
}

export type AuditDeps = { readonly clickhouse: ClickHouse; readonly clock: Clock; readonly logger: Logger }

const again_ms = 1_000
/** Changes that wait for ClickHouse to take their record. */
const maxWaiting = 10_000

/** The record of changes, as `GET /audit` shows it. A change whose record cannot be written stands, and the record follows. */
export function createAudit({ clickhouse, clock, logger }: AuditDeps) {
  const waiting: { readonly row: string; readonly token: string }[] = []
  let isWriting = false
  let isClosed = false

  const write = ({ row, token }: { readonly row: string; readonly token: string }): Promise<void> =>
    clickhouse.insert({ table: '`weir`.`changes`', rows: Buffer.from(row), token })

  async function writeWaiting(): Promise<void> {
    isWriting = true
    for (let first = waiting[0]; first && !isClosed; first = waiting[0]) {
      await sleep(again_ms, undefined, { ref: false })
      try {
        await write(first)
        waiting.shift()
      } catch {} // logged when it failed first
    }
    isWriting = false
  }

  function writeLater(record: { readonly row: string; readonly token: string }, error: unknown): void {
    logger.error({ err: error, change: record.row.trim() }, 'change not recorded, retrying')
    if (waiting.length >= maxWaiting) return
    waiting.push(record)
    if (!isWriting) void writeWaiting()
  }

  return {
    /** Resolves once the record is there, or waits to be written. */
    async record({ by: author, ...change }: Change): Promise<void> {
      const ts = String(clock.next())
      const record = { row: `${JSON.stringify({ ts, author, ...change })}\n`, token: `change ${ts}` }
      await write(record).catch((error: unknown) => writeLater(record, error))
    },

    /** Newest first, those before a time in microseconds where it is given. */
    async list(limit: number, before?: string) {
      const earlier = before === undefined ? '' : `WHERE ts < ${literal(before, 'Int64')} `
      const rows = await clickhouse.rows<Row>({
        text: [
          'SELECT toString(ts) AS at, author, what, name, detail FROM weir.changes',
          `${earlier}ORDER BY ts DESC LIMIT ${literal(limit, 'UInt64')}`,
        ].join(' '),
        params: {},
      })
      const changes = rows.map(({ at, author, ...change }) => ({ ts: Number(at), by: author, ...change }))
      return { changes, num_changes: changes.length }
    },

    async close(): Promise<void> {
      isClosed = true
      for (const record of waiting.splice(0)) await write(record).catch(() => {})
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
