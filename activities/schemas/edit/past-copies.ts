import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { qualified } from '../../../sql/identifier.ts'
import { compilePastSize } from '../../../sql/schema/ddl/edit/past-events.ts'
import { nextPast, type PastPosition, pastMatches } from '../../../sql/schema/ddl/edit/past-matches.ts'
import type { FreshFilter } from '../../../sql/schema/ddl/edit/schema-diff.ts'
import { pastComment } from '../../../sql/schema/ddl/notices.ts'
import { inputTable } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { CopyProgress } from './edit-record.ts'

export type PastCopiesDeps = {
  readonly clickhouse: ClickHouse
  /** Writes down how far the copies are. */
  readonly note: (progress: CopyProgress) => Promise<void>
}

/** The max of a run, which is one block in ClickHouse. */
const runBytes = 8 * 1024 * 1024
const maxRows = 50_000

/**
 * Copies kept events that match into the streams of filters, each once: the bounds of a run are written down before its
 * insert and are its deduplication token, as the feeder does it. `edit` tells the runs of one edit from the next.
 */
export async function copyPasts(
  { clickhouse, note }: PastCopiesDeps,
  schema: Schema,
  filters: readonly FreshFilter[],
  edit: string,
  begun: CopyProgress,
): Promise<void> {
  let progress = begun
  for (const [number, fresh] of filters.entries()) {
    if (number < progress.done) continue
    const rows = await runLength(fresh)
    for (;;) {
      const { after } = progress
      const upTo = progress.upTo ?? (await endOfRun(after, rows, fresh))
      if (upTo === undefined) break
      progress = { done: number, ...(after && { after }), upTo }
      await note(progress)
      const lines = await clickhouse.read(
        { text: pastMatches(schema, fresh, { after, upTo }), params: {} },
        'JSONEachRow',
      )
      const table = qualified(schema.name, inputTable(fresh.filter.target))
      const token = [edit, number, ...(after ?? []), ...upTo].join(':')
      if (lines.length > 0) await clickhouse.insert({ table, rows: lines, token, comment: pastComment })
      progress = { done: number, after: upTo }
    }
    progress = { done: number + 1 }
    await note(progress)
  }

  async function endOfRun(after: PastPosition | undefined, rows: number, { stream }: FreshFilter) {
    const text = nextPast(schema, stream, after, rows)
    const [row] = await clickhouse.rows<{ first: string; second: string }>({ text, params: {} })
    return row && ([row.first, row.second] as const)
  }

  async function runLength({ stream }: FreshFilter): Promise<number> {
    const [size] = await clickhouse.rows<{ rows: number; bytes: number }>(compilePastSize(schema.name, stream.name))
    const bytes = Math.max(1, Number(size?.bytes ?? 0) / Math.max(1, Number(size?.rows ?? 0)))
    return Math.min(maxRows, Math.max(1, Math.floor(runBytes / bytes)))
  }
}
