import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { type Asked, asked, type ImportRecord, type Progress, progress } from './record.ts'

type Row = {
  readonly id: string
  readonly part: 'asked' | 'progress' | 'cancelled'
  readonly record: string
  readonly version: string
}

/** Imports in ClickHouse's table `weir.imports`, a row a part. */
export function createImportStore(clickhouse: ClickHouse, now_us: () => number = () => Date.now() * 1000) {
  /** The versions of the progress that this process has read or written: the next one is greater, whatever the clocks say. */
  const versions = new Map<string, number>()

  async function write(id: string, part: Row['part'], record: unknown, after = 0): Promise<number> {
    const version = Math.max(now_us(), after + 1)
    await clickhouse.run({
      text: 'INSERT INTO weir.imports SELECT {id:String}, {part:String}, {record:String}, {version:UInt64}',
      params: { id, part, record: JSON.stringify(record), version: String(version) },
    })
    return version
  }

  async function read(where: string, params: Record<string, string> = {}): Promise<ImportRecord[]> {
    const rows = await clickhouse.rows<Row>({
      text: `SELECT id, part, record, toString(version) AS version FROM weir.imports FINAL${where} ORDER BY id, part`,
      params,
    })
    const records: ImportRecord[] = []
    const byId = new Map<string, Row[]>()
    for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
    for (const [id, parts] of byId) {
      const part = (name: Row['part']) => parts.find((row) => row.part === name)
      const [request, state] = [part('asked'), part('progress')]
      // A process that ended between the two has answered no client.
      if (!request || !state) continue
      versions.set(id, Math.max(Number(state.version), versions.get(id) ?? 0))
      records.push({
        id,
        asked: asked.parse(JSON.parse(request.record)),
        progress: progress.parse(JSON.parse(state.record)),
        isCancelled: part('cancelled') !== undefined,
      })
    }
    return records
  }

  return {
    async begin(id: string, request: Asked, first: Progress): Promise<void> {
      await write(id, 'asked', request)
      versions.set(id, await write(id, 'progress', first))
    },
    async find(id: string): Promise<ImportRecord | undefined> {
      return (await read(' WHERE id = {id:String}', { id }))[0]
    },
    list: (): Promise<ImportRecord[]> => read(''),
    /** Imports with which some process has to go on. */
    running: (): Promise<ImportRecord[]> =>
      read(
        " WHERE id IN (SELECT id FROM weir.imports FINAL WHERE part = 'progress' AND JSONExtractString(record, 'state') = 'running')",
      ),
    /** Of the process that brings the rows alone. */
    async advance(id: string, next: Progress): Promise<void> {
      versions.set(id, await write(id, 'progress', next, versions.get(id)))
    },
    async cancel(id: string): Promise<void> {
      await write(id, 'cancelled', {})
    },
    async forget(id: string): Promise<void> {
      versions.delete(id)
      await clickhouse.run({ text: 'DELETE FROM weir.imports WHERE id = {id:String}', params: { id } })
    },
  }
}

export type ImportStore = ReturnType<typeof createImportStore>
